/**
 * Why a rendered value is what it is: which documents set or lost it, and by which action, substitution or operation.
 * Reads the steps of evaluations; decides nothing about them.
 */
package dev.strake.engine.explain;
