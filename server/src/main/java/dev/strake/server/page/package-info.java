/** The page that people look at in a browser. It is made of files; all that it shows it asks for over HTTP, as any program does. */
package dev.strake.server.page;
