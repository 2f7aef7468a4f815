package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Checks the rendering of sealed data without a key, as in commands. Outside of masks, the result must equal the result
 * with the key, and there must be no additional problems. The oracle renders the clear text and knows no masks.
 * Documents in trouble there are not checked, nor documents that depend on sealed operations.
 */
final class UnderMasks {

    private static final int ONE_OF = 4;

    private final NaiveRenderer clear;
    private final Map<String, Integer> counts;
    private final List<Document> documents = new ArrayList<>();
    private final Set<DocumentId> masked = new TreeSet<>();
    private final Set<DocumentId> unknown = new TreeSet<>();
    private final Map<DocumentId, Set<DocumentId>> heeded;

    /** @param counts receives the number of checks */
    UnderMasks(List<MapValue> trees, NaiveRenderer clear, Map<String, Integer> counts) {
        this.clear = clear;
        this.counts = counts;
        trees.forEach(tree -> documents.add(Document.ofValid(isMasked(tree) ? sealed(tree) : tree)));
        masked.stream().filter(id -> id.schema().equals(Universe.OPERATIONS)).forEach(unknown::add);
        this.heeded = clear.heeds();
        while (heeded.entrySet().stream()
                .filter(each -> each.getValue().stream().anyMatch(unknown::contains))
                .map(each -> unknown.add(each.getKey()))
                .reduce(false, Boolean::logicalOr)) {
            counts.merge("of sealed operations", 1, Integer::sum);
        }
    }

    /* Masks encrypted documents and some others. The layering policy must stay readable. */
    private static boolean isMasked(MapValue tree) {
        return !((Text) tree.get("schema")).value().startsWith("deckhand/LayeringPolicy/")
                && (StoragePolicy.isEncrypted(tree)
                        || Math.floorMod(Json.text(tree).hashCode(), ONE_OF) == 0);
    }

    private MapValue sealed(MapValue tree) {
        masked.add(Document.ofValid(tree).id());
        MapValue metadata = Universe.metadata(tree).with(StoragePolicy.KEY, StoragePolicy.ENCRYPTED.text());
        return tree.with("metadata", metadata).with("data", Text.sealed("TOKEN" + masked.size()));
    }

    void check() {
        if (masked.isEmpty() || clear.lacksPolicy()) {
            return;
        }
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        Update update = workspace.apply(Plan.bucketPut(workspace.head().graph(), "x", documents));
        clear.outcomes().forEach((id, outcome) -> {
            if (!outcome.isInTrouble() && heeded.get(id).stream().noneMatch(unknown::contains)) {
                Optional<Problem> problem = update.problems().getOrDefault(id, Optional.empty());
                if (problem.isEmpty() || !isOfAnotherOwner(problem.get())) {
                    assertThat(problem.map(Problem::describe))
                            .as(id + " under masks")
                            .isEmpty();
                }
                check(id.toString(), outcome.data(), workspace.data(id), false);
            }
        });
        if (unknown.isEmpty()) {
            checkDerived(workspace);
        }
    }

    private void checkDerived(TestWorkspace workspace) {
        Set<DocumentKey> all = new TreeSet<>(clear.rendered().keySet());
        all.addAll(workspace.published().keySet());
        clear.outcomes().keySet().forEach(id -> all.remove(id.key()));
        for (DocumentKey key : all) {
            MapValue expected = clear.rendered().get(key);
            MapValue shown = workspace.published().get(key);
            boolean isFree =
                    workspace.head().derivations().deriving(key).stream().anyMatch(this::isIdle);
            if (isFree || (expected == null && clear.isClaimed(key))) {
                continue; // what is in trouble on one side is in nobody's way there
            }
            assertThat(expected).as("%s is derived under masks alone", key).isNotNull();
            if (shown != null) {
                check(key.toString(), expected.get("data"), shown.get("data"), true);
            } else if (!hasIdleOwners()) {
                assertThat(clear.derived().entrySet())
                        .as("%s is not derived", key)
                        .anyMatch(each -> each.getValue().contains(key)
                                && (workspace.data(each.getKey()).hasSealed() || mayDecide(each.getKey())));
            }
        }
    }

    /* What an owner of a kind that a module brings reads may be sealed. */
    private static boolean mayDecide(DocumentId owner) {
        return StoryKind.ALL.stream().anyMatch(kind -> kind.owners().equals(owner.schema()));
    }

    /* An owner in trouble derives nothing, and so causes no conflicts. */
    private boolean isOfAnotherOwner(Problem problem) {
        return problem.code() == ProblemCode.DUPLICATE_DOCUMENT_EXISTS && hasIdleOwners();
    }

    private boolean hasIdleOwners() {
        return clear.derived().keySet().stream().anyMatch(this::isIdle);
    }

    private boolean isIdle(DocumentId owner) {
        return clear.derived().get(owner) == null;
    }

    private void check(String name, Value expected, Value shown, boolean isGathered) {
        assertThat(isGathered ? gathers(shown, expected) : covers(shown, expected))
                .as("%s under masks: %s is shown as %s", name, Json.text(expected), Json.text(shown))
                .isTrue();
        counts.merge(
                Text.isSealed(shown) ? "masked" : shown.hasSealed() ? "masked in part" : "not masked", 1, Integer::sum);
    }

    private static boolean covers(Value shown, Value expected) {
        if (shown instanceof MapValue map
                && expected instanceof MapValue other
                && map.keys().equals(other.keys())) {
            return map.keys().stream().allMatch(key -> covers(map.get(key), other.get(key)));
        } else if (shown instanceof ListValue list
                && expected instanceof ListValue other
                && list.size() == other.size()) {
            return IntStream.range(0, list.size()).allMatch(i -> covers(list.get(i), other.get(i)));
        }
        return Text.isSealed(shown) || shown.equals(expected);
    }

    /* A collection skips documents without a value at the place, and a mask may stand for no value. */
    private static boolean gathers(Value shown, Value expected) {
        if (shown instanceof MapValue map && expected instanceof MapValue other) {
            return map.keys().containsAll(other.keys())
                    && map.keys().stream()
                            .allMatch(key -> other.has(key)
                                    ? covers(map.get(key), other.get(key))
                                    : Text.isSealed(map.get(key)));
        }
        if (shown instanceof ListValue list && expected instanceof ListValue other) {
            return gathers(list.items(), other.items());
        }
        return covers(shown, expected);
    }

    private static boolean gathers(List<Value> shown, List<Value> expected) {
        if (shown.isEmpty() || expected.isEmpty()) {
            return expected.isEmpty() && shown.stream().allMatch(Text::isSealed);
        }
        List<Value> rest = shown.subList(1, shown.size());
        return (covers(shown.get(0), expected.get(0)) && gathers(rest, expected.subList(1, expected.size())))
                || (Text.isSealed(shown.get(0)) && gathers(rest, expected));
    }
}
