/** Heat's nested template validation: the parameters of a whole tree of templates, and its faults. */
package dev.strake.heat;
