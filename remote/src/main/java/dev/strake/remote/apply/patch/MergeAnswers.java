package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.patch.ApplyResult.Action;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.KubernetesObject;
import dev.strake.remote.object.Reconcile;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Answers one question of {@code strake merge}: takes a JSON object and returns a JSON object.
 *
 * <table>
 * <caption>Members of a question; others are ignored</caption>
 * <tr><td>{@code id}</td><td>any value, repeated in the answer</td></tr>
 * <tr><td>{@code live}</td><td>the live object; null for none</td></tr>
 * <tr><td>{@code patch}</td><td>a patch to merge, of the mode {@code merge-patch} or {@code strategic-merge-patch}</td></tr>
 * <tr><td>{@code desired}</td><td>or a document to apply in a mode of Razee; null if it left the set</td></tr>
 * <tr><td>{@code mode}</td><td>by default {@code merge-patch}, or the mode in the label of the document</td></tr>
 * <tr><td>{@code lastApplied}</td><td>the document applied last; by default from the live object's annotation</td></tr>
 * <tr><td>{@code parent}</td><td>the owner that applies; by default the owner of the live object</td></tr>
 * <tr><td>{@code parents_alive}</td><td>the other owners that still exist</td></tr>
 * <tr><td>{@code reconcile}, {@code confirmed}</td><td>for a document that left the set: the recorded value, and
 *     whether the deletion is confirmed</td></tr>
 * </table>
 */
public final class MergeAnswers {

    private static final String MERGE = "merge-patch";
    private static final String STRATEGIC = "strategic-merge-patch";
    /** The modes, for messages. */
    public static final String MODES =
            "Apply, MergePatch, StrategicMergePatch, AdditiveMergePatch, EnsureExists, " + MERGE + " and " + STRATEGIC;

    private static final Set<Action> OWNED = Set.of(Action.CREATE, Action.PATCH, Action.NONE);

    private final MapValue asked;

    private MergeAnswers(MapValue asked) {
        this.asked = asked;
    }

    /** Whether a mode has this name. */
    public static boolean isMode(String name) {
        return name.equalsIgnoreCase(MERGE)
                || name.equalsIgnoreCase(STRATEGIC)
                || ApplyMode.named(name).isPresent();
    }

    /** Returns the answer: {@code id}, and either {@code object} with the action, or {@code error}. */
    public static MapValue answer(Value question) {
        if (!(question instanceof MapValue asked)) {
            return refused(Null.NULL, "a question has to be a JSON object");
        }
        Value id = asked.has("id") ? asked.get("id") : Null.NULL;
        try {
            MapValue answer = new MergeAnswers(asked).answer();
            return MapValue.of("id", id).updatedWith(answer);
        } catch (UnclearException e) {
            return refused(id, e.getMessage());
        }
    }

    /** Returns the answer to an invalid question. */
    public static MapValue refused(Value id, String message) {
        return MapValue.of("id", id)
                .with("error", MapValue.of("kind", "invalid-request").with("message", message));
    }

    private MapValue answer() throws UnclearException {
        String mode = textOrNull("mode");
        boolean has = asked.has("patch");
        if (has == asked.has("desired")) {
            throw new UnclearException("the question needs either a patch or a desired document");
        }
        String plain = mode == null ? "" : mode.toLowerCase(Locale.ROOT);
        if (has || plain.equals(MERGE) || plain.equals(STRATEGIC)) {
            return merged(asked.get(has ? "patch" : "desired"), plain);
        }
        if (isNull("desired")) {
            return written(removed(), null);
        }
        if (!(asked.get("desired") instanceof MapValue desired)) {
            throw new UnclearException("desired has to be a JSON object");
        }
        ApplyMode applied = mode == null ? ApplyMode.of(desired) : mode(mode);
        MapValue live = live();
        ApplyResult result = Applying.apply(
                new ApplyRequest(live, lastApplied(live), desired, applied, parent(live), parentsAlive(), null));
        return written(result, Reconcile.of(desired).orElse(Reconcile.TRUE));
    }

    private MapValue merged(Value patch, String mode) throws UnclearException {
        Value live = asked.has("live") ? asked.get("live") : Null.NULL;
        try {
            switch (mode) {
                case "", MERGE, "mergepatch" -> {
                    return MapValue.of("object", MergePatch.apply(live, patch));
                }
                case STRATEGIC, "strategicmergepatch" -> {
                    if (!(patch instanceof MapValue changes)) {
                        throw new UnclearException("a strategic merge patch has to be a JSON object");
                    }
                    MapValue object = live();
                    return MapValue.of(
                            "object", StrategicMergePatch.apply(object == null ? MapValue.EMPTY : object, changes));
                }
                default -> throw new UnclearException("a patch is a " + MERGE + " or a " + STRATEGIC);
            }
        } catch (InvalidPatchException e) {
            return MapValue.of("error", error(e));
        }
    }

    private ApplyResult removed() throws UnclearException {
        MapValue live = live();
        String word = textOrNull("reconcile");
        Reconcile recorded = word == null ? Reconcile.TRUE : Reconcile.named(word);
        return Applying.remove(live, parent(live), recorded, Bool.TRUE.equals(asked.get("confirmed")));
    }

    private static ApplyMode mode(String name) throws UnclearException {
        return ApplyMode.named(name)
                .orElseThrow(() -> new UnclearException("there is no such mode: the modes are " + MODES));
    }

    private MapValue live() throws UnclearException {
        if (isNull("live")) {
            return null;
        }
        if (asked.get("live") instanceof MapValue live) {
            return live;
        }
        throw new UnclearException("live has to be a JSON object, or null");
    }

    private Value lastApplied(MapValue live) {
        if (!asked.has("lastApplied")) {
            return live == null
                    ? null
                    : new KubernetesObject(live).lastApplied().orElse(null);
        }
        return asked.get("lastApplied") instanceof Text text
                ? KubernetesObject.document(text.value()).orElse(null)
                : asked.get("lastApplied");
    }

    private String parent(MapValue live) throws UnclearException {
        String parent = textOrNull("parent");
        return parent != null || live == null
                ? parent
                : new KubernetesObject(live).annotation(KubernetesObject.PARENT).orElse(null);
    }

    private Set<String> parentsAlive() throws UnclearException {
        Set<String> alive = new HashSet<>();
        if (!isNull("parents_alive")) {
            ListValue list = asked.get("parents_alive") instanceof ListValue texts ? texts : null;
            if (list == null || !list.items().stream().allMatch(Text.class::isInstance)) {
                throw new UnclearException("parents_alive has to be a list of texts");
            }
            list.items().forEach(parent -> alive.add(((Text) parent).value()));
        }
        return alive;
    }

    private boolean isNull(String name) {
        return !asked.has(name) || asked.get(name) instanceof Null;
    }

    private String textOrNull(String name) throws UnclearException {
        if (isNull(name)) {
            return null;
        }
        if (asked.get(name) instanceof Text text) {
            return text.value();
        }
        throw new UnclearException(name + " has to be a text");
    }

    /* Writes reconcile only for objects that still belong to the owner. */
    private static MapValue written(ApplyResult result, Reconcile reconcile) {
        MapValue.Builder answer = MapValue.builder();
        if (result.failure().isPresent()) {
            answer.put("error", error(result.failure().get()));
        } else {
            answer.put("object", result.object() == null ? Null.NULL : result.object());
            answer.put("action", result.action().text());
        }
        result.request().ifPresent(request -> {
            MapValue.Builder sent = MapValue.builder();
            sent.put("method", request.type().method());
            if (request.body() != null) {
                sent.put("contentType", request.type().contentType());
                sent.put("body", request.body());
            }
            answer.put("request", sent.build());
        });
        if (reconcile != null && OWNED.contains(result.action())) {
            answer.put("reconcile", reconcile.text());
        }
        return answer.build();
    }

    private static MapValue error(InvalidPatchException failure) {
        return MapValue.of("kind", failure.kind().text())
                .with("status", failure.kind().status())
                .with("message", failure.getMessage())
                .with("path", failure.place().toString());
    }

    /** The question cannot be answered. */
    private static final class UnclearException extends Exception {

        UnclearException(String message) {
            super(message);
        }
    }
}
