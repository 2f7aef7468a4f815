/** Whether consumers hold what they should: a workspace recomputed from nothing, and compared with its topics. */
package dev.strake.cli.verify;
