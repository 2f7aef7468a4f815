/** Who may ask for what over HTTP: tokens, principals, roles, and the table of what each route needs. */
package dev.strake.server.access;
