/** The state of workspaces over HTTP: what the service answers from its stores, and what asks for it. */
package dev.strake.server.state;
