/** Objects of Kubernetes: what identifies them, what their metadata says to an applier, and how they are documents. */
package dev.strake.remote.object;
