/** Tests of the page in a browser. */
package dev.strake.checks.page;
