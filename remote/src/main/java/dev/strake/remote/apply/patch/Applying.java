package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.patch.ApplyResult.Action;
import dev.strake.remote.apply.patch.ApplyResult.Request;
import dev.strake.remote.apply.patch.ApplyResult.RequestType;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.KubernetesObject;
import dev.strake.remote.object.Reconcile;
import java.util.Optional;

/** Decides what an applier does with one object, as razeedeploy-core documents it. A pure function. */
public final class Applying {

    private Applying() {}

    /** Decides about an object whose document is in the set. */
    public static ApplyResult apply(ApplyRequest asked) {
        MapValue live = asked.live();
        try {
            new KubernetesObject(asked.desired()).check();
            InvalidPatchException.checkDepth(live);
            InvalidPatchException.checkDepth(asked.lastApplied());
        } catch (InvalidPatchException e) {
            return ApplyResult.failed(null, e);
        }
        if (asked.mode() == ApplyMode.ENSURE_EXISTS) {
            return live == null ? created(asked.desired()) : ApplyResult.nothing(Action.NONE, live);
        }
        KubernetesObject desired = new KubernetesObject(asked.desired()).withoutNullAnnotations();
        if (live == null) {
            return created(firstDocument(asked, desired));
        }
        KubernetesObject object = new KubernetesObject(live);
        if (belongsToAnother(object, asked)) {
            return ApplyResult.nothing(Action.REFUSED_OTHER_PARENT, live);
        }
        if (object.label(KubernetesObject.DEBUG)
                .filter("true"::equalsIgnoreCase)
                .isPresent()) {
            // The annotation keeps the document as its author wrote it, because it is applied later.
            Value waiting = json(asked, new KubernetesObject(asked.desired()));
            return patched(live, annotation(KubernetesObject.PENDING, waiting), ApplyMode.APPLY);
        }
        return patched(live, document(asked, desired, object), asked.mode());
    }

    /**
     * Decides about an object whose document left the set.
     *
     * @param live the live object; null if it is gone
     * @param parent the owner of the document
     * @param recorded the value that was recorded when the document was applied last
     * @param confirmed whether the deletion is confirmed
     */
    public static ApplyResult remove(MapValue live, String parent, Reconcile recorded, boolean confirmed) {
        if (live == null) {
            return ApplyResult.nothing(Action.NONE, null);
        }
        Optional<String> owner = new KubernetesObject(live).annotation(KubernetesObject.PARENT);
        if (owner.isPresent() && !owner.get().equals(parent)) {
            return ApplyResult.nothing(Action.REFUSED_OTHER_PARENT, live); // the new owner keeps it
        }
        if (recorded == Reconcile.CONFIRM && !confirmed) {
            return ApplyResult.nothing(Action.HELD, live);
        }
        if (recorded != Reconcile.FALSE) {
            return ApplyResult.of(Action.DELETE, null, RequestType.DELETE, null);
        }
        return owner.isEmpty()
                ? ApplyResult.nothing(Action.NONE, live)
                : patched(live, annotation(KubernetesObject.PARENT, Null.NULL), ApplyMode.APPLY);
    }

    private static boolean belongsToAnother(KubernetesObject object, ApplyRequest asked) {
        return object.annotation(KubernetesObject.PARENT)
                .filter(owner -> !owner.equals(asked.parent()))
                .filter(asked.livingParents()::contains)
                .isPresent();
    }

    private static ApplyResult created(MapValue document) {
        return ApplyResult.of(Action.CREATE, document, RequestType.CREATE, document);
    }

    /* As in Razee, only the record of the first document contains the parent: records are compared. */
    private static MapValue firstDocument(ApplyRequest asked, KubernetesObject desired) {
        KubernetesObject owned = owned(asked, desired);
        return owned.withAnnotation(KubernetesObject.LAST_APPLIED, record(asked, owned))
                .tree();
    }

    private static MapValue document(ApplyRequest asked, KubernetesObject desired, KubernetesObject live) {
        KubernetesObject document = live.hasAnnotation(KubernetesObject.PENDING)
                ? desired.withAnnotation(KubernetesObject.PENDING, Null.NULL)
                : desired;
        Value record = record(asked, document);
        if (asked.mode() != ApplyMode.ADDITIVE_MERGE_PATCH && asked.lastApplied() instanceof MapValue last) {
            document = new KubernetesObject(withRemovals(document.tree(), last));
        }
        return owned(asked, document.withAnnotation(KubernetesObject.LAST_APPLIED, record))
                .tree();
    }

    /*
     * A merge patch removes only members that are null in it, so members that only the last document had are set to
     * null. Lists and scalars are removed as a whole, mappings member by member, which keeps members that others added.
     * A scalar or list replaces a mapping of the last document.
     */
    private static MapValue withRemovals(MapValue document, MapValue last) {
        MergedMembers members = new MergedMembers(document);
        last.forEach((key, was) -> {
            Value now = members.get(key);
            if (was instanceof MapValue old) {
                if (now == null) {
                    MapValue gone = withRemovals(MapValue.EMPTY, old);
                    if (!gone.isEmpty()) {
                        members.put(key, gone);
                    }
                } else if (now instanceof MapValue young) {
                    members.put(key, withRemovals(young, old));
                }
            } else if (now == null && !(was instanceof Null)) {
                members.put(key, Null.NULL);
            }
        });
        return members.build();
    }

    private static Value record(ApplyRequest asked, KubernetesObject document) {
        return asked.mode() == ApplyMode.ADDITIVE_MERGE_PATCH
                ? new Text(KubernetesObject.ADDITIVE_NOTE)
                : json(asked, document);
    }

    private static KubernetesObject owned(ApplyRequest asked, KubernetesObject document) {
        return asked.parent() == null
                ? document
                : document.withAnnotation(KubernetesObject.PARENT, new Text(asked.parent()));
    }

    private static MapValue annotation(String name, Value value) {
        return new KubernetesObject(MapValue.EMPTY).withAnnotation(name, value).tree();
    }

    private static Text json(ApplyRequest asked, KubernetesObject object) {
        MapValue tree = asked.mask() == null ? object.tree() : object.masked(asked.mask());
        return new Text(JsonBytes.text(tree));
    }

    private static ApplyResult patched(MapValue live, MapValue body, ApplyMode mode) {
        boolean strategic = mode == ApplyMode.STRATEGIC_MERGE_PATCH && StrategicMergePatch.supports(live);
        RequestType type = strategic ? RequestType.STRATEGIC_MERGE_PATCH : RequestType.MERGE_PATCH;
        try {
            MapValue object =
                    strategic ? StrategicMergePatch.apply(live, body) : (MapValue) MergePatch.apply(live, body);
            return ApplyResult.of(Action.PATCH, object, type, body);
        } catch (InvalidPatchException e) {
            return ApplyResult.failed(new Request(type, body), e);
        }
    }
}
