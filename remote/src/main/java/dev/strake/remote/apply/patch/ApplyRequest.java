package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Set;

/**
 * What is to be decided: what to make of one object in a cluster.
 *
 * @param live the object as it is; null if there is none
 * @param lastApplied the document that was applied last; null, or no mapping, if it is not known: then nothing is removed
 * @param desired the document to apply
 * @param parent who applies it, as it stands in the annotation of the objects it owns; null if nobody is to own the object
 * @param livingParents the other owners that still exist, so that their objects are left to them
 * @param mask a text that stands in annotations for each value of the document, because the document is secret. It has to be
 *     another one whenever the document changes. Null: annotations hold the document as it is, as in Razee
 */
public record ApplyRequest(
        MapValue live,
        Value lastApplied,
        MapValue desired,
        ApplyMode mode,
        String parent,
        Set<String> livingParents,
        String mask) {

    public ApplyRequest {
        livingParents = Set.copyOf(livingParents);
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "ApplyRequest[" + mode + "]";
    }
}
