package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.patch.PatchType.Field;
import dev.strake.remote.apply.patch.PatchType.Lists;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Strategic merge patch of Kubernetes, as implemented by kubectl 1.32. Mappings are merged, and lists by the merge key
 * of their field. Members that begin with {@code $} are directives. Only built-in kinds are supported.
 *
 * <table>
 * <caption>Directives</caption>
 * <tr><td>{@code $patch: replace | delete}</td><td>in a mapping: the rest of the patch, or an empty mapping, replaces
 *     it; in an element of a list: the other elements replace the list, or the element is deleted</td></tr>
 * <tr><td>{@code $setElementOrder/F}</td><td>the order of list F, by its keys</td></tr>
 * <tr><td>{@code $deleteFromPrimitiveList/F}</td><td>scalars to delete from list F</td></tr>
 * <tr><td>{@code $retainKeys}</td><td>the members to keep; all others are removed</td></tr>
 * </table>
 */
public final class StrategicMergePatch {

    static final Text DELETE = new Text("delete");
    static final Text REPLACE = new Text("replace");

    private StrategicMergePatch() {}

    /** Whether an object's kind is built in, so that strategic merge patches are supported. */
    public static boolean supports(MapValue object) {
        return type(object).isPresent();
    }

    /**
     * Merges a patch into an object.
     *
     * @param live the live object; its apiVersion and kind, or else those of the patch, define how lists are merged
     */
    public static MapValue apply(MapValue live, MapValue patch) throws InvalidPatchException {
        InvalidPatchException.checkDepth(live);
        InvalidPatchException.checkDepth(patch);
        PatchType type = type(live)
                .or(() -> live.has("kind") ? Optional.empty() : type(patch))
                .orElseThrow(() -> new InvalidPatchException(
                        Kind.UNREGISTERED_KIND,
                        "strategic merge patches are for the built-in kinds: use a merge patch for a custom resource"));
        MapValue result = merged(live, patch, type);
        if (!result.has("kind")) { // as after $patch: delete at the top level; an API server rejects such an object
            throw new InvalidPatchException(
                    Kind.INVALID_OBJECT, "the patch leaves an object without a kind; to delete it is another request");
        }
        return result;
    }

    private static Optional<PatchType> type(MapValue object) {
        return object.get("apiVersion") instanceof Text version && object.get("kind") instanceof Text kind
                ? BuiltInKinds.find(version.value(), kind.value())
                : Optional.empty();
    }

    private static MapValue merged(MapValue live, MapValue patch, PatchType type) throws InvalidPatchException {
        Value directive = patch.get(Directives.PATCH);
        if (directive != null) {
            if (directive.equals(REPLACE)) {
                return (MapValue) Directives.replacing(patch);
            }
            if (directive.equals(DELETE)) {
                return MapValue.EMPTY;
            }
            throw unknownDirective();
        }
        MergedMembers members = new MergedMembers(live);
        retainKeys(members, patch);
        Set<String> done = new HashSet<>();
        for (int i = 0; i < patch.size(); i++) {
            if (patch.keyAt(i).startsWith(Directives.SET_ELEMENT_ORDER)) {
                String field = fieldOf(patch.keyAt(i), Directives.SET_ELEMENT_ORDER, Kind.BAD_SET_ELEMENT_ORDER);
                setElementOrder(members, patch, type.field(field), field, patch.valueAt(i));
                done.add(field);
            }
        }
        // Deletions come before additions, so a value in both stays.
        for (int i = 0; i < patch.size(); i++) {
            if (patch.keyAt(i).startsWith(Directives.DELETE_FROM_LIST)) {
                deleteFromList(members, patch.keyAt(i), patch.valueAt(i));
            }
        }
        for (int i = 0; i < patch.size(); i++) {
            String key = patch.keyAt(i);
            if (!Directives.isDirective(key) && !done.contains(key)) {
                mergeMember(members, key, patch.valueAt(i), type.field(key));
            }
        }
        return members.build();
    }

    private static void mergeMember(MergedMembers members, String key, Value change, Field field)
            throws InvalidPatchException {
        Value old = members.get(key);
        if (change instanceof Null) {
            members.remove(key);
            return;
        }
        try {
            if (old instanceof MapValue map && change instanceof MapValue changes) {
                members.put(key, mergedMapping(map, changes, field.type()));
            } else if (old instanceof ListValue list && change instanceof ListValue changes) {
                members.put(key, mergedList(list, changes, field));
            } else {
                putOrRemove(members, key, Directives.adding(change));
            }
        } catch (InvalidPatchException e) {
            throw e.within(key);
        }
    }

    private static Value mergedMapping(MapValue live, MapValue patch, PatchType type) throws InvalidPatchException {
        if (!type.isReplaced()) {
            return merged(live, patch, type);
        }
        Value replaced = Directives.replacing(patch);
        return replaced.equals(live) ? live : replaced;
    }

    private static void putOrRemove(MergedMembers members, String key, Value value) {
        if (value == null) {
            members.remove(key);
        } else if (!value.equals(members.get(key))) {
            members.put(key, value);
        }
    }

    private static ListValue mergedList(ListValue live, ListValue patch, Field field) throws InvalidPatchException {
        return switch (field.lists()) {
            case REPLACED -> patch.equals(live) ? live : (ListValue) Directives.replacing(patch);
            case UNITED -> MergedList.united(live, patch);
            case MERGED_BY_KEY ->
                MergedList.byKey(live, patch, field.mergeKey(), (old, change) -> merged(old, change, field.type()));
        };
    }

    private static void retainKeys(MergedMembers members, MapValue patch) throws InvalidPatchException {
        Value retained = patch.get(Directives.RETAIN_KEYS);
        if (retained == null) {
            return;
        }
        if (!(retained instanceof ListValue list)) {
            throw new InvalidPatchException(Kind.BAD_RETAIN_KEYS, "$retainKeys has to be a list of keys")
                    .within(Directives.RETAIN_KEYS);
        }
        Set<String> keys = new HashSet<>();
        for (Value item : list.items()) {
            if (item instanceof Text text) {
                keys.add(text.value());
            }
        }
        for (int i = 0; i < patch.size(); i++) {
            String key = patch.keyAt(i);
            boolean sets = !Directives.isDirective(key) && !(patch.valueAt(i) instanceof Null);
            if (sets && !keys.contains(key)) {
                throw new InvalidPatchException(
                                Kind.BAD_RETAIN_KEYS, "$retainKeys has to name every member that the patch sets")
                        .within(key);
            }
        }
        members.retain(keys);
    }

    private static void setElementOrder(MergedMembers members, MapValue patch, Field field, String key, Value order)
            throws InvalidPatchException {
        Value old = members.get(key);
        Value change = patch.get(key);
        if (!(order instanceof ListValue wanted)
                || (old != null && !(old instanceof ListValue))
                || (change != null && !(change instanceof ListValue))) {
            throw new InvalidPatchException(
                            Kind.BAD_SET_ELEMENT_ORDER, "$setElementOrder is a list that gives the order of a list")
                    .within(Directives.SET_ELEMENT_ORDER + "/" + key);
        }
        String mergeKey = field.lists() == Lists.MERGED_BY_KEY ? field.mergeKey() : null;
        ListValue live = old == null ? ListValue.EMPTY : (ListValue) old;
        ListValue changes = change == null ? ListValue.EMPTY : (ListValue) change;
        if (old == null && change == null) {
            return;
        }
        try {
            ListValue merged;
            MergedList.checkOrder(changes, wanted, mergeKey);
            if (old == null) {
                merged = (ListValue) Directives.adding(changes);
            } else {
                merged = change == null ? live : mergedList(live, changes, field);
            }
            boolean isKept = mergeKey == null || old == null || change == null;
            ListValue places = isKept ? live : MergedList.withPlacesTaken(live, changes, mergeKey);
            putOrRemove(members, key, MergedList.ordered(merged, wanted, places, mergeKey));
        } catch (InvalidPatchException e) {
            throw e.within(key);
        }
    }

    private static void deleteFromList(MergedMembers members, String directive, Value deleted)
            throws InvalidPatchException {
        String key = fieldOf(directive, Directives.DELETE_FROM_LIST, Kind.BAD_DELETE_FROM_PRIMITIVE_LIST);
        if (deleted instanceof Null) {
            members.remove(key);
        } else if (deleted instanceof ListValue list && members.get(key) instanceof ListValue live) {
            try {
                members.put(key, MergedList.without(live, list));
            } catch (InvalidPatchException e) {
                throw e.within(directive);
            }
        }
    }

    private static String fieldOf(String directive, String prefix, Kind kind) throws InvalidPatchException {
        if (!directive.startsWith(prefix + "/")) {
            throw new InvalidPatchException(kind, "the directive has to name a field: " + prefix + "/FIELD")
                    .within(directive);
        }
        return directive.substring(prefix.length() + 1);
    }

    static InvalidPatchException unknownDirective() {
        return new InvalidPatchException(
                        Kind.UNKNOWN_PATCH_DIRECTIVE, "the directive $patch has to be replace or delete")
                .within(Directives.PATCH);
    }
}
