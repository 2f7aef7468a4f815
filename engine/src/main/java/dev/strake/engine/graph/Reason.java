package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;

/** Why a document has to be looked at. */
public sealed interface Reason {

    /** The document itself was added or changed. */
    record Edited() implements Reason {}

    /** Its place changed: it is replaced or no longer replaced, another document has its name, or the policy gained or lost its layer. */
    record Placed() implements Reason {}

    /**
     * One of its references resolves to another document than before, or to none.
     *
     * @param before null if there was no such dependency
     * @param now null if there is none any more
     */
    record Resolved(Dependency before, Dependency now) implements Reason {}

    /** The result of a document that it depends on changed. */
    record Changed(Dependency dependency) implements Reason {}

    /** It is part of a cycle of dependencies that the change reaches, or it was reported as part of a cycle before. */
    record Cyclic() implements Reason {}

    /** The limits of rendering changed since it was last rendered. */
    record Limited() implements Reason {}

    /** Whether its data, or what it rendered to, can be decrypted is not as it was when it was last rendered. */
    record Keyed() implements Reason {}

    /** It comes from an owner that was evaluated. */
    record Derived(DocumentId owner) implements Reason {}

    /** It derives documents, and what it reads of another document changed. */
    record Read(DocumentId document) implements Reason {}

    Reason EDITED = new Edited();
    Reason PLACED = new Placed();
    Reason CYCLIC = new Cyclic();
    Reason LIMITED = new Limited();
    Reason KEYED = new Keyed();
}
