package dev.strake.engine.tree;

/**
 * A node of an immutable document tree: what YAML and JSON have in common, and nothing else.
 *
 * <p>Trees share structure freely. Changing one place copies the containers on the way to it and keeps every
 * other sub-tree as the same object, so comparing, measuring and hashing can stop early at identical objects.
 *
 * <p>Two values are equal when their content is: maps compare without regard to key order, numbers compare by
 * the form in which they were written ({@code 1}, {@code 1.0} and {@code true} are three different values).
 */
public sealed interface Value permits MapValue, ListValue, Text, Num, Bool, Null {

    /**
     * Length in bytes of this value as compact JSON in UTF-8. Known without walking the tree, so that a document
     * which doubles itself through thirty substitutions is refused before anybody tries to write it down.
     */
    long weight();

    /** Number of containers on the longest way down, this one included; 0 for scalars. */
    int depth();

    /** A 128-bit hash of the content: equal for equal values, whatever the order of their keys. */
    default Fingerprint fingerprint() {
        return Fingerprint.of(this);
    }

    /** What kind of value this is, in the words of a YAML author; for messages, which never show values. */
    String kind();
}
