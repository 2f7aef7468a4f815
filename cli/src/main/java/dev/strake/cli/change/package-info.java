/** Commands that change a workspace, or say what a change would do. */
package dev.strake.cli.change;
