/** Changes as records of the topic: headers, parts and bodies, fully validated before they are applied. */
package dev.strake.serdes.change;
