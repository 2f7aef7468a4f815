/** Commands that query what a workspace contains, and why. */
package dev.strake.cli.question;
