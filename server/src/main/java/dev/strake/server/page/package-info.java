/** The web page: static files that request all data over HTTP, like any other client. */
package dev.strake.server.page;
