/** Changes over HTTP: accepts and publishes them, and responds with their outcomes. */
package dev.strake.server.writing;
