package dev.strake.engine.property;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Generates the next change of an author for the state of the workspace. */
public final class RandomChanges {

    private static final List<String> BUCKETS = List.of("x", "y");
    private static final int MANY = 18;
    private static final int LONGEST_WAY_BACK = 60;
    private static final List<Integer> MOST_BYTES = List.of(200, 800, 800, 3_000);

    private final Dice dice;
    private final Universe universe;
    private final Taking taking;
    /** The probability that a new document is of a kind from another module. High in some stories, low in others. */
    private final double ofKinds;

    public RandomChanges(RandomGenerator random) {
        this.dice = new Dice(random);
        this.ofKinds = dice.chance(0.5) ? 0.7 : 0.05;
        this.universe = new Universe(dice);
        this.taking = new Taking(dice, universe, new Instructions(dice, new Contents(dice)));
    }

    /** The next change for the documents of the workspace and their trouble. */
    public Change next(Story.State state, List<DocumentId> causesOfTrouble, int sinceWhole) {
        if (state.isEmpty()) {
            return start(state);
        }
        if (sinceWhole > 0 && dice.chance(0.4)) {
            return repair(state, causesOfTrouble, sinceWhole);
        }
        if (dice.chance(0.1)) {
            return together(state, taking.next(ordinary(state), source(state)));
        }
        DocumentId id = anyOf(state);
        String bucket = state.bucket(id);
        MapValue tree = state.tree(id);
        boolean control = state.documents().get(id).document().isControl();
        int roll = dice.below(100);
        if (roll < 18 && state.documents().size() < MANY) {
            return add(state, ordinary(state));
        } else if (roll < 25) {
            return deletion(state, id);
        } else if (roll < 29) {
            return Change.back(1 + dice.below(dice.chance(0.7) ? 6 : LONGEST_WAY_BACK));
        } else if (roll < 31) {
            return Change.RESTART;
        } else if (roll < 32) {
            return Change.limits(dice.oneOf(MOST_BYTES));
        } else if (roll < 36) {
            return wholeBucket(state, bucket);
        } else if (roll < 40) {
            return add(state, universe.dataSchema());
        } else if (roll < 42) {
            return add(state, dice.chance(0.7) ? universe.secret() : universe.validationPolicy());
        } else if (roll < 44) {
            return add(state, dice.chance(0.4) ? universe.policy("policy") : universe.ordinaryPolicy());
        } else if (roll < 45) {
            return dice.chance(0.5)
                    ? add(state, universe.policy("second"))
                    : Change.put(bucket.equals("x") ? "y" : "x", List.of(tree));
        } else if (roll < 49) {
            return several(state);
        } else if (control) {
            return add(state, ordinary(state));
        } else if (roll < 54) {
            return dice.chance(0.7) ? chain(state, bucket, tree) : rivals(state, bucket, tree);
        }
        return roll < 57 ? moved(state, bucket, tree) : Change.put(bucket, List.of(edited(roll, state, tree)));
    }

    /* Prefers replacements and operations, because most other documents depend on them. */
    private DocumentId anyOf(Story.State state) {
        List<DocumentId> all = List.copyOf(state.documents().keySet());
        List<DocumentId> some = all.stream()
                .filter(id -> state.documents().get(id).document().isReplacement()
                        || id.schema().equals(Universe.OPERATIONS))
                .toList();
        return dice.oneOf(some.isEmpty() || dice.chance(0.75) ? all : some);
    }

    /* Prefers the end of a chain of replacements, because its deletion affects most documents. */
    private Change deletion(Story.State state, DocumentId any) {
        List<DocumentId> ends = state.documents().keySet().stream()
                .filter(id -> state.documents().get(id).document().isReplacement()
                        && !state.documents().get(id).document().isAbstract())
                .toList();
        DocumentId id = ends.isEmpty() || dice.chance(0.6) ? any : dice.oneOf(ends);
        List<DocumentId> ids = new ArrayList<>(List.of(id));
        if (dice.chance(0.3)) { // of other buckets, or of no bucket: the engine ignores these
            ids.addAll(dice.someOf(List.copyOf(state.documents().keySet())));
            ids.add(new DocumentId(id.schema(), dice.oneOf(Universe.LAYERS), id.name()));
        }
        return Change.delete(state.bucket(id), ids);
    }

    private MapValue edited(int roll, Story.State state, MapValue tree) {
        MapValue metadata = Universe.metadata(tree);
        if (roll < 70) {
            return withOtherData(state, tree);
        } else if (roll < 73) {
            return Universe.withOtherPolicy(tree);
        } else if (roll < 78) {
            return Universe.labelled(tree, universe.labels(layer(tree)));
        } else if (roll < 83) {
            return universe.selecting(tree, universe.selector(state, tree));
        } else if (roll < 86) {
            return Universe.toggled(tree, "abstract");
        } else if (roll < 88) {
            return Universe.toggled(tree, "replacement");
        } else if (roll < 91) {
            return universe.replacementOf(state, tree);
        } else if (roll < 93) {
            return Universe.labelled(universe.reordered(tree), universe.labels(layer(tree)));
        } else if (roll < 95 && metadata.get("substitutions") instanceof ListValue list && list.size() > 0) {
            ListValue fewer = list.without(dice.below(list.size()));
            return tree.with(
                    "metadata",
                    fewer.size() == 0 ? metadata.without("substitutions") : metadata.with("substitutions", fewer));
        }
        return universe.substituting(tree, state);
    }

    private MapValue withOtherData(Story.State state, MapValue tree) {
        if (tree.get("schema").equals(new Text(Universe.COLLECTION)) && dice.chance(0.9)) {
            return tree.with("data", universe.collectionData(state));
        }
        String schema = ((Text) tree.get("schema")).value();
        for (StoryKind kind : StoryKind.ALL) {
            if (kind.makes(schema) && dice.chance(0.9)) {
                return tree.with("data", kind.data(dice, schema));
            }
        }
        boolean operations = tree.get("schema").equals(new Text(Universe.OPERATIONS));
        if (operations && dice.chance(0.5)) {
            return universe.withOtherOperations(tree);
        }
        return operations && dice.chance(0.9)
                ? tree.with("data", universe.operationsData(state, dice.chance(0.75) ? source(state) : null))
                : Universe.withData(tree, universe.data());
    }

    private static String layer(MapValue tree) {
        return Document.ofValid(tree).id().layer();
    }

    private Change start(Story.State state) {
        List<MapValue> documents = new ArrayList<>();
        if (dice.chance(0.9)) {
            documents.add(universe.ordinaryPolicy());
        }
        documents.add(ordinary(state));
        return Change.put("x", documents);
    }

    private MapValue ordinary(Story.State state) {
        if (dice.chance(0.15) && !state.isEmpty()) {
            return universe.collection(state);
        }
        if (!StoryKind.ALL.isEmpty() && dice.chance(ofKinds)) {
            return universe.ofKind(state, dice.oneOf(StoryKind.ALL));
        }
        return dice.chance(0.18) && !state.isEmpty()
                ? universe.operations(state, source(state))
                : universe.ordinary(state);
    }

    private DocumentKey source(Story.State state) {
        return state.isEmpty()
                ? new DocumentKey("t/A/v1", "a")
                : dice.oneOf(List.copyOf(state.documents().keySet())).key();
    }

    private Change repair(Story.State state, List<DocumentId> causes, int sinceWhole) {
        if (causes.isEmpty()) { // the policy is missing
            return add(state, universe.ordinaryPolicy());
        }
        if (dice.chance(0.4)) {
            return Change.back(sinceWhole);
        }
        DocumentId id = dice.oneOf(causes);
        return Change.delete(state.bucket(id), List.of(id));
    }

    /* An existing document stays in its bucket. */
    private Change add(Story.State state, MapValue tree) {
        Document document = Document.ofValid(tree);
        Story.Held held = state.documents().get(document.id());
        return Change.put(held == null ? dice.oneOf(BUCKETS) : held.bucket(), List.of(tree));
    }

    private Change several(Story.State state) {
        return together(state, List.of(ordinary(state), ordinary(state), ordinary(state)));
    }

    /* Puts the documents that are new or in the bucket of the first document, rarely one from another bucket. */
    private Change together(Story.State state, List<MapValue> trees) {
        Story.Held first = state.documents().get(Document.ofValid(trees.get(0)).id());
        String bucket = first == null ? dice.oneOf(BUCKETS) : first.bucket();
        List<MapValue> some = trees.stream()
                .filter(tree -> {
                    Story.Held held =
                            state.documents().get(Document.ofValid(tree).id());
                    return held == null || held.bucket().equals(bucket) || dice.chance(0.1);
                })
                .toList();
        return Change.put(bucket, some);
    }

    /* A document, a replacement of it, mostly a replacement of that too, and a child that depends on all of them. */
    private Change chain(Story.State state, String bucket, MapValue tree) {
        List<MapValue> trees = new ArrayList<>();
        int layer = Math.max(0, Universe.LAYERS.indexOf(layer(tree)));
        MapValue first = Universe.metadata(tree).has("labels") && dice.chance(0.4) ? tree : universe.marked(tree);
        MapValue last = first;
        trees.add(first);
        if (layer < 2 && dice.chance(0.7)) { // abstract in the middle, or it could not be replaced
            MapValue middle = universe.replacementOf(state, first);
            middle = universe.marked(Universe.inLayer(middle, Universe.LAYERS.get(layer + 1)));
            last = Document.ofValid(middle).isAbstract() || dice.chance(0.1)
                    ? middle
                    : Universe.toggled(middle, "abstract");
            trees.add(last);
        }
        MapValue end = universe.replacementOf(state, last);
        trees.add(Document.ofValid(end).isAbstract() && dice.chance(0.8) ? Universe.toggled(end, "abstract") : end);
        if (dice.chance(0.6)) {
            trees.add(universe.childOf(state, first));
        }
        return Change.put(bucket, trees);
    }

    /* A document, replacements of it in two or three layers, and a child that depends on the lowest of them. */
    private Change rivals(Story.State state, String bucket, MapValue tree) {
        MapValue first = universe.marked(Universe.inLayer(tree, Universe.LAYERS.get(dice.below(2))));
        List<MapValue> trees = new ArrayList<>(List.of(first));
        for (int layer = Universe.LAYERS.indexOf(layer(first)) + 1; layer < Universe.LAYERS.size(); layer++) {
            if (dice.chance(0.8)) {
                trees.add(Universe.inLayer(universe.replacementOf(state, first), Universe.LAYERS.get(layer)));
            }
        }
        if (dice.chance(0.6)) {
            trees.add(universe.childOf(state, first));
        }
        return Change.put(bucket, trees);
    }

    private Change wholeBucket(Story.State state, String bucket) {
        List<MapValue> trees = new ArrayList<>();
        for (Map.Entry<DocumentId, Story.Held> entry : state.documents().entrySet()) {
            if (entry.getValue().bucket().equals(bucket) && dice.chance(0.85)) {
                MapValue tree = entry.getValue().document().tree();
                boolean plain = !entry.getValue().document().isControl();
                trees.add(plain && dice.chance(0.2) ? withOtherData(state, tree) : tree);
            }
        }
        if (dice.chance(0.5)) {
            trees.add(ordinary(state));
        }
        return Change.bucket(bucket, trees);
    }

    /* A document in another layer has another identity, so a move removes one document and adds another. */
    private Change moved(Story.State state, String bucket, MapValue tree) {
        DocumentId id = Document.ofValid(tree).id();
        List<MapValue> trees = new ArrayList<>();
        state.documents().forEach((other, held) -> {
            if (held.bucket().equals(bucket) && !other.equals(id)) {
                trees.add(held.document().tree());
            }
        });
        trees.add(Universe.inLayer(tree, dice.oneOf(Universe.LAYERS)));
        return Change.bucket(bucket, trees);
    }
}
