package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Set;

/**
 * The input of the decision about one object in a cluster.
 *
 * @param live the live object; null if there is none
 * @param lastApplied the document that was applied last; null or no mapping if unknown, then nothing is removed
 * @param desired the document to apply
 * @param parent the owner, as in the annotation of its objects; null if objects get no owner
 * @param livingParents other owners that still exist; their objects are left alone
 * @param mask a text that replaces each value of a secret document in annotations. It has to differ for each version of
 *     the document. If null, annotations contain the document as it is, as in Razee
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
