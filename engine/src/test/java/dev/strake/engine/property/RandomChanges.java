package dev.strake.engine.property;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Thinks of what an author might do next, in the state the workspace is in. */
public final class RandomChanges {

    private static final List<String> BUCKETS = List.of("x", "y");
    private static final int MANY = 18;

    private final RandomGenerator random;
    private final Universe universe;

    public RandomChanges(RandomGenerator random) {
        this.random = random;
        this.universe = new Universe(random);
    }

    /** The next change, given what the workspace holds and which of that is in trouble. */
    public Change next(Story.State state, List<DocumentId> causesOfTrouble, int sinceWhole) {
        if (state.isEmpty()) {
            return start(state);
        }
        if (sinceWhole > 0 && universe.chance(0.35)) {
            return repair(state, causesOfTrouble, sinceWhole);
        }
        DocumentId id = universe.oneOf(List.copyOf(state.documents().keySet()));
        String bucket = state.bucket(id);
        MapValue tree = state.tree(id);
        boolean control = state.documents().get(id).document().isControl();
        int dice = random.nextInt(100);
        if (dice < 18 && state.documents().size() < MANY) {
            return add(state, ordinary(state));
        } else if (dice < 26) {
            return Change.delete(bucket, List.of(id));
        } else if (dice < 30) {
            return Change.back(1 + random.nextInt(6));
        } else if (dice < 33) {
            return Change.RESTART;
        } else if (dice < 37) {
            return wholeBucket(state, bucket);
        } else if (dice < 41) {
            return add(state, universe.dataSchema());
        } else if (dice < 44) {
            return add(state, universe.chance(0.7) ? universe.secret() : universe.validationPolicy());
        } else if (dice < 47) {
            return universe.chance(0.5) ? add(state, universe.policy("policy")) : add(state, universe.ordinaryPolicy());
        } else if (dice < 48) {
            return add(state, universe.policy("second"));
        } else if (dice < 50) {
            return Change.put(bucket.equals("x") ? "y" : "x", List.of(tree));
        } else if (dice < 54) {
            return several(state);
        } else if (control) {
            return add(state, ordinary(state));
        }
        return dice < 58 ? moved(state, bucket, tree) : Change.put(bucket, List.of(edited(dice, state, tree)));
    }

    private MapValue edited(int dice, Story.State state, MapValue tree) {
        MapValue metadata = Universe.metadata(tree);
        String layer = Document.ofValid(tree).id().layer();
        if (dice < 74) {
            boolean operations = tree.get("schema").equals(new Text(OperationsDocument.SCHEMA));
            return tree.with(
                    "data",
                    operations && universe.chance(0.9)
                            ? universe.operationsData(universe.chance(0.7) ? source(state) : null)
                            : universe.data());
        } else if (dice < 79) {
            return tree.with("metadata", metadata.with("labels", universe.labels(layer)));
        } else if (dice < 83) {
            return universe.selecting(tree, universe.selector(layer));
        } else if (dice < 86) {
            return universe.toggled(tree, "abstract");
        } else if (dice < 88) {
            return universe.toggled(tree, "replacement");
        } else if (dice < 91) {
            return universe.replacementOf(tree);
        } else if (dice < 93) {
            return universe.reordered(tree).with("metadata", metadata.with("labels", universe.labels(layer)));
        } else if (dice < 95 && metadata.get("substitutions") instanceof ListValue list) {
            ListValue fewer = list.without(random.nextInt(list.size()));
            return tree.with(
                    "metadata",
                    fewer.size() == 0 ? metadata.without("substitutions") : metadata.with("substitutions", fewer));
        }
        return universe.substituting(tree, source(state));
    }

    private Change start(Story.State state) {
        List<MapValue> documents = new ArrayList<>();
        if (universe.chance(0.9)) {
            documents.add(universe.ordinaryPolicy());
        }
        documents.add(ordinary(state));
        return Change.put("x", documents);
    }

    private MapValue ordinary(Story.State state) {
        return universe.chance(0.15) && !state.isEmpty()
                ? universe.operations(source(state))
                : universe.ordinary(source(state));
    }

    private DocumentKey source(Story.State state) {
        return state.isEmpty()
                ? new DocumentKey("t/A/v1", "a")
                : universe.oneOf(List.copyOf(state.documents().keySet())).key();
    }

    private Change repair(Story.State state, List<DocumentId> causes, int sinceWhole) {
        if (causes.isEmpty()) { // it is the policy that is missing
            return add(state, universe.ordinaryPolicy());
        }
        if (universe.chance(0.3)) {
            return Change.back(sinceWhole);
        }
        DocumentId id = universe.oneOf(causes);
        return Change.delete(state.bucket(id), List.of(id));
    }

    /* A document that is there already stays in its bucket. */
    private Change add(Story.State state, MapValue tree) {
        Document document = Document.ofValid(tree);
        Story.Held held = state.documents().get(document.id());
        return Change.put(held == null ? universe.oneOf(BUCKETS) : held.bucket(), List.of(tree));
    }

    private Change several(Story.State state) {
        String bucket = universe.oneOf(BUCKETS);
        List<MapValue> trees = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MapValue tree = ordinary(state);
            Story.Held held = state.documents().get(Document.ofValid(tree).id());
            if (held == null || held.bucket().equals(bucket) || universe.chance(0.1)) {
                trees.add(tree);
            }
        }
        return Change.put(bucket, trees);
    }

    private Change wholeBucket(Story.State state, String bucket) {
        List<MapValue> trees = new ArrayList<>();
        for (Map.Entry<DocumentId, Story.Held> entry : state.documents().entrySet()) {
            if (entry.getValue().bucket().equals(bucket) && universe.chance(0.85)) {
                MapValue tree = entry.getValue().document().tree();
                boolean plain = !entry.getValue().document().isControl();
                trees.add(plain && universe.chance(0.2) ? tree.with("data", universe.data()) : tree);
            }
        }
        if (universe.chance(0.5)) {
            trees.add(ordinary(state));
        }
        return Change.bucket(bucket, trees);
    }

    /* Moving a document to another layer makes it another document: one goes, one comes, in one change. */
    private Change moved(Story.State state, String bucket, MapValue tree) {
        DocumentId id = Document.ofValid(tree).id();
        List<MapValue> trees = new ArrayList<>();
        state.documents().forEach((other, held) -> {
            if (held.bucket().equals(bucket) && !other.equals(id)) {
                trees.add(held.document().tree());
            }
        });
        trees.add(universe.inLayer(tree, universe.oneOf(Universe.LAYERS)));
        return Change.bucket(bucket, trees);
    }
}
