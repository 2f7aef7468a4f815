/** The demonstration: a real set of documents, one change to it, and what came out. */
package dev.strake.service.demo;
