/** Python's view of values: text, truth and equality. Heat's answers show values as Python does. */
package dev.strake.heat.python;
