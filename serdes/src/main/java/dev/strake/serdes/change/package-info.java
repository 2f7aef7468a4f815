/** Changes as they arrive from the topic: headers, parts and bodies, fully checked before they are applied. */
package dev.strake.serdes.change;
