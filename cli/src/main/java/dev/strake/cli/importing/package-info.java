/** Imports Kubernetes objects, kustomizations and values of Helm as layered documents. */
package dev.strake.cli.importing;
