/** The page, looked at in a browser. */
package dev.strake.checks.page;
