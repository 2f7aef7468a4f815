/** The keys of this installation, as the service has them. */
package dev.strake.server.secrets;
