/** The web page: static files. Everything that they show, they request over HTTP, like any other client. */
package dev.strake.server.page;
