/** Tests that the files in {@code deploy/} are valid by their published schemas, agree with the code, and work. */
package dev.strake.checks.deploy;
