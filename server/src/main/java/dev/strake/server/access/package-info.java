/** Access control over HTTP: tokens, principals, roles, and the permissions of routes. */
package dev.strake.server.access;
