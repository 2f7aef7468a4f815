package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;

/** Why a change has to inspect a document. */
public sealed interface Reason {

    /** The document itself was added or changed. */
    record Edited() implements Reason {}

    /** Its place changed: its replacement, a document with its name, or whether the layering policy has its layer. */
    record Placed() implements Reason {}

    /**
     * One of its references resolves to another document than before, or to none.
     *
     * @param before null if the dependency is new
     * @param now null if the dependency no longer exists
     */
    record Resolved(Dependency before, Dependency now) implements Reason {}

    /** The document depends on another one whose result changed. */
    record Changed(Dependency dependency) implements Reason {}

    /** It is part of a cycle of dependencies that the change reaches, or was part of a reported cycle before. */
    record Cyclic() implements Reason {}

    /** The limits of rendering changed since it was last rendered. */
    record Limited() implements Reason {}

    /** Whether its data or its rendering can be decrypted has changed since it was last rendered. */
    record Keyed() implements Reason {}

    /** It is derived from an owner that was evaluated. */
    record Derived(DocumentId owner) implements Reason {}

    /** It is an owner, and another document that it reads changed. */
    record Read(DocumentId document) implements Reason {}

    Reason EDITED = new Edited();
    Reason PLACED = new Placed();
    Reason CYCLIC = new Cyclic();
    Reason LIMITED = new Limited();
    Reason KEYED = new Keyed();
}
