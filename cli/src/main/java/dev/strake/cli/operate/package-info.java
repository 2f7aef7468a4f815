/** Commands for operators: the service, its settings, tokens and keys. */
package dev.strake.cli.operate;
