package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;

/**
 * JSON merge patch (RFC 7386): mappings are merged, null removes a member, any other value replaces the old one. Nulls
 * inside lists are kept. (API servers of Kubernetes drop some of them, depending on the version.)
 */
public final class MergePatch {

    private MergePatch() {}

    /**
     * Merges a patch into a tree.
     *
     * @param live the tree; null for none
     * @throws InvalidPatchException if a tree is nested too deeply; all other trees can be merged
     */
    public static Value apply(Value live, Value patch) throws InvalidPatchException {
        InvalidPatchException.checkDepth(live);
        InvalidPatchException.checkDepth(patch);
        return merged(live, patch);
    }

    private static Value merged(Value live, Value patch) {
        if (!(patch instanceof MapValue changes)) {
            return patch.equals(live) ? live : patch;
        }
        MapValue old = live instanceof MapValue map ? map : MapValue.EMPTY;
        MergedMembers members = new MergedMembers(old);
        changes.forEach((key, change) -> {
            if (change instanceof Null) {
                members.remove(key);
            } else {
                members.put(key, merged(members.get(key), change));
            }
        });
        return members.build();
    }
}
