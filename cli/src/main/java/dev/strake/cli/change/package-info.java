/** Commands that change a workspace, or plan a change. */
package dev.strake.cli.change;
