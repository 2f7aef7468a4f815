package dev.strake.engine.template.tree;

import dev.strake.engine.template.source.Origin;
import dev.strake.engine.tree.Value;

/**
 * A value that is supplied for a parameter.
 *
 * @param secret whether it comes from a hidden parameter
 * @param origin where it is written; null if it was given with the request
 */
public record Supplied(Value value, boolean secret, Origin origin) {}
