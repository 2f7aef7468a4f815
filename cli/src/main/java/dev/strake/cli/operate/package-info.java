/** Commands for who runs Strake: the service, its settings, tokens and keys. */
package dev.strake.cli.operate;
