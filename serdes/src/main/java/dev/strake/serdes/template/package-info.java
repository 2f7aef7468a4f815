/** Requests to validate trees of Heat templates, and their answers, as JSON; and the files that they are made of. */
package dev.strake.serdes.template;
