/** The state of workspaces over HTTP: the routes, and the answers from the stores. */
package dev.strake.server.state;
