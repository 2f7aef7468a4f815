package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;

/**
 * JSON merge patch (RFC 7386): mappings are merged, null removes a member, everything else replaces what was there.
 * Nulls inside lists stay. (An API server of Kubernetes drops some of those, depending on its version.)
 */
public final class MergePatch {

    private MergePatch() {}

    /**
     * The tree with the patch merged in.
     *
     * @param live null for none
     * @throws InvalidPatchException if one of them is nested too deeply; any other two trees can be merged
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
