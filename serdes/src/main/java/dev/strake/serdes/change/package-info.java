/** Changes as they come from the topic: headers, parts and bodies, checked in full before anybody acts on them. */
package dev.strake.serdes.change;
