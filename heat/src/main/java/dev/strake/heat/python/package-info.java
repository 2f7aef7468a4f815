/** Values as Python treats them: their texts, their truth, their equality. Heat is written in Python, and it shows. */
package dev.strake.heat.python;
