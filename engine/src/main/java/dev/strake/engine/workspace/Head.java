package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.render.Evaluation;

/** A document of the head revision, with its evaluation. */
public record Head(Facts facts, Evaluation evaluation) {}
