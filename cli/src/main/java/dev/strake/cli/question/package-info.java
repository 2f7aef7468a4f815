/** Commands that ask what a workspace holds and why. */
package dev.strake.cli.question;
