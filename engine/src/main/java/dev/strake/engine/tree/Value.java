package dev.strake.engine.tree;

import java.util.function.LongConsumer;

/**
 * A node of an immutable document tree: what YAML and JSON have in common, and nothing else.
 *
 * <p>Trees share structure. Changing one place copies the containers on the way to it and keeps every other sub-tree as
 * the same object. So comparing, measuring and hashing can stop early at identical objects.
 *
 * <p>Two values are equal if their content is equal. The order of keys in a map does not matter. Numbers are compared
 * as they were written ({@code 1}, {@code 1.0} and {@code true} are three different values).
 */
public sealed interface Value permits Container, Text, Num, Bool, Null {

    /**
     * Length in bytes of this value as compact JSON in UTF-8. It is known without traversing the tree. So a document
     * that doubles in size through each of thirty substitutions is rejected before it is written.
     */
    long weight();

    /** Number of nested containers on the longest way down, this value included; 0 for scalars. */
    default int depth() {
        return 0;
    }

    /** A 128-bit hash of the content: equal for equal values, whatever the order of their keys. */
    default Fingerprint fingerprint() {
        return Fingerprint.of(this);
    }

    /**
     * Whether this value, with all values in it, came from a secret document. The mark is not part of the content: it
     * does not affect equality. The mark moves with the value, so steps that only move values can ignore it.
     */
    boolean isSecret();

    /** Whether this value or any value in it is {@linkplain #isSecret secret}. */
    default boolean hasSecrets() {
        return isSecret();
    }

    /** Whether this value or any value in it is a {@linkplain Text#sealed sealed} text. */
    default boolean hasSealed() {
        return false;
    }

    /** Merges another value over this one. It wins, unless it is a map and this value is a map or sealed. */
    default Value mergedUnder(Value over, LongConsumer effort) {
        return over;
    }

    /** This value marked as secret, with all values in it. */
    Value secret();

    /** This value, marked as {@linkplain #secret secret} if the argument is true. */
    default Value secretIf(boolean isSo) {
        return isSo ? secret() : this;
    }

    /** The kind of this value in the terms of YAML; for messages, which never show values. */
    String kind();

    /** The kind with its article, as a sentence needs it: "a mapping", "an integer", "text", "null". */
    default String kindWithArticle() {
        String kind = kind();
        return this instanceof Text || this instanceof Null ? kind : (kind.startsWith("i") ? "an " : "a ") + kind;
    }
}
