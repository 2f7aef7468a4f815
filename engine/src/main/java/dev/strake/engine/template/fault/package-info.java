/** What is wrong with a tree of Heat templates: stable codes, Heat's words, and the place in a file. */
package dev.strake.engine.template.fault;
