/** All of Strake in one process: a broker on the loopback interface and a server that uses it. */
package dev.strake.cli.local;
