/** Values as Python treats them: their texts, their truth, their equality. Heat's answers show them as Python does. */
package dev.strake.heat.python;
