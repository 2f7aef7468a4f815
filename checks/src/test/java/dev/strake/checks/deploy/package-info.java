/** What lies in {@code deploy/} is valid by its published schemas, agrees with the code, and works. */
package dev.strake.checks.deploy;
