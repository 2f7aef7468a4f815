package dev.strake.engine.graph;

/** Why a document has to be looked at. */
public sealed interface Reason {

    /** The document itself was added or changed. */
    record Edited() implements Reason {}

    /** Its place is another one: another document takes it, no longer does, or competes for its name; or its layer came or went. */
    record Placed() implements Reason {}

    /**
     * A reference of it means another document than before, or none.
     *
     * @param before null if there was no such dependency
     * @param now null if there is none any more
     */
    record Resolved(Dependency before, Dependency now) implements Reason {}

    /** A document that it depends on came out different. */
    record Changed(Dependency dependency) implements Reason {}

    /** It is part of a cycle of dependencies that the change touches, or was told to be part of one. */
    record Cyclic() implements Reason {}

    /** Documents are rendered within other limits than those it was last rendered within. */
    record Limited() implements Reason {}

    Reason EDITED = new Edited();
    Reason PLACED = new Placed();
    Reason CYCLIC = new Cyclic();
    Reason LIMITED = new Limited();
}
