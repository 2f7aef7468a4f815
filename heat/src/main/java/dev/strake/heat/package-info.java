/** Heat's nested template validation: the parameters of a whole tree of templates, and all that is wrong with it. */
package dev.strake.heat;
