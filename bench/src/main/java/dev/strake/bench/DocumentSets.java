package dev.strake.bench;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Document sets that resemble published sites. Every document follows from the seed and its own name alone, so a leaf
 * of a huge set can be made again, with one value changed, without the set.
 *
 * <pre>
 *  global   policy │ bases (abstract) ◄─┐   catalogues, passphrases ◄── substitutions ──┐
 *  type            │ profiles (abstract)┴◄─┐                                            │
 *  site            │                leaves ┴ of about 2 KB ─────────────────────────────┘
 * </pre>
 *
 * @param leaves documents at the bottom; all that a consumer reads, beside the catalogues
 * @param leavesOfAProfile children of one parent
 */
public record DocumentSets(long seed, int leaves, int leavesOfAProfile) {

    private static final int PROFILES_OF_A_BASE = 5;
    private static final int LEAVES_OF_A_CATALOGUE = 50;
    private static final String[] WORDS = {
        "compute", "storage", "ingress", "replica", "volume", "primary", "gateway", "timeout", "enabled", "address",
        "monitor", "backup", "network", "cluster", "release", "upgrade"
    };

    /** A set of about so many documents, the leaves being nine tenths of it. */
    public static DocumentSets ofSize(long seed, int documents) {
        DocumentSets set = new DocumentSets(seed, Math.max(1, documents * 9 / 10), 20);
        for (int i = 0; i < 3; i++) { // other leaves need other parents, so it takes a few steps to get there
            set = new DocumentSets(seed, Math.max(1, set.leaves + documents - set.size()), 20);
        }
        return set;
    }

    /** One profile and its children, to see how far a change of one document spreads. */
    public static DocumentSets family(long seed, int children) {
        return new DocumentSets(seed, children, children);
    }

    /** How many documents there are. */
    public int size() {
        return 1 + bases() + profiles() + 2 * catalogues() + leaves;
    }

    private int bases() {
        return profiles() / PROFILES_OF_A_BASE + 1;
    }

    private int profiles() {
        return (leaves - 1) / leavesOfAProfile + 1;
    }

    private int catalogues() {
        return leaves / LEAVES_OF_A_CATALOGUE + 1;
    }

    /** All of it, in an order in which every part of the beginning is a sound set too. */
    public List<MapValue> all() {
        List<MapValue> result = new ArrayList<>(size());
        result.add(policy());
        for (int i = 0; i < bases(); i++) {
            result.add(base(i));
        }
        for (int i = 0; i < catalogues(); i++) {
            result.add(catalogue(i));
            result.add(passphrase(i));
        }
        for (int i = 0; i < profiles(); i++) {
            result.add(profile(i, 0));
        }
        for (int i = 0; i < leaves; i++) {
            result.add(leaf(i, 0));
        }
        return result;
    }

    /** The bucket that a document is published in: one for each layer. */
    public static String bucket(MapValue document) {
        MapValue layering = (MapValue) ((MapValue) document.get("metadata")).get("layeringDefinition");
        return layering == null ? "global" : ((Text) layering.get("layer")).value();
    }

    private static MapValue policy() {
        MapValue metadata = MapValue.builder()
                .put("schema", new Text("metadata/Control/v1"))
                .put("name", new Text("layering-policy"))
                .build();
        ListValue order = ListValue.of(new Text("global"), new Text("type"), new Text("site"));
        return document("deckhand/LayeringPolicy/v1", metadata, MapValue.of("layerOrder", order));
    }

    private MapValue base(int i) {
        MapValue metadata = metadata("base-" + i, "cleartext", layering("global", true, MapValue.EMPTY))
                .with("labels", MapValue.of("base", new Text("base-" + i)));
        return document("bench/Chart/v1", metadata, body("base-" + i, 2));
    }

    /** A parent; two versions of it differ in one value that its children take over. */
    public MapValue profile(int i, int version) {
        MapValue selector = MapValue.of("base", new Text("base-" + i / PROFILES_OF_A_BASE));
        MapValue metadata = metadata("profile-" + i, "cleartext", layering("type", true, selector))
                .with("labels", MapValue.of("profile", new Text("profile-" + i)));
        return document("bench/Chart/v1", metadata, body("profile-" + i, 2).with("profileVersion", Num.of(version)));
    }

    /** A leaf; two versions of it differ in one value. */
    public MapValue leaf(int i, int version) {
        String name = "leaf-" + i;
        int catalogue = i % catalogues();
        MapValue selector = MapValue.of("profile", new Text("profile-" + i / leavesOfAProfile));
        MapValue metadata = metadata(name, "cleartext", layering("site", false, selector))
                .with(
                        "substitutions",
                        ListValue.of(
                                substitution("bench/Catalogue/v1", "catalogue-" + catalogue, ".section0", ".endpoint"),
                                substitution(
                                        "deckhand/Passphrase/v1", "passphrase-" + catalogue, ".", ".url", "SECRET")));
        MapValue data = body(name, 4)
                .with("url", new Text("https://service:SECRET@" + name + ".example.net:8443/v1"))
                .with("version", Num.of(version));
        return document("bench/Chart/v1", metadata, data);
    }

    private MapValue catalogue(int i) {
        String name = "catalogue-" + i;
        MapValue metadata = metadata(name, "cleartext", layering("global", false, MapValue.EMPTY));
        return document("bench/Catalogue/v1", metadata, body(name, 6));
    }

    private MapValue passphrase(int i) {
        String name = "passphrase-" + i;
        MapValue metadata = metadata(name, "encrypted", layering("global", false, MapValue.EMPTY));
        return document(
                "deckhand/Passphrase/v1",
                metadata,
                new Text(Long.toHexString(random(name).nextLong())));
    }

    /* Sections have the same keys everywhere, as charts of one kind do, and values of their own. */
    private MapValue body(String name, int sections) {
        Random random = random(name);
        MapValue.Builder body = MapValue.builder();
        for (int s = 0; s < sections; s++) {
            MapValue.Builder section = MapValue.builder();
            for (int k = 0; k < 8; k++) {
                section.put(WORDS[k] + "_" + WORDS[8 + s], value(random, k));
            }
            body.put("section" + s, section.build());
        }
        return body.build();
    }

    private static Value value(Random random, int k) {
        return switch (k) {
            case 0 -> Bool.of(random.nextBoolean());
            case 1 -> Num.of(random.nextInt(65_536));
            case 2 -> ListValue.of(word(random), word(random), word(random));
            default -> new Text(word(random).value() + "-" + word(random).value() + "-" + random.nextInt(1_000_000));
        };
    }

    private static Text word(Random random) {
        return new Text(WORDS[random.nextInt(WORDS.length)]);
    }

    private Random random(String name) {
        return new Random(seed * 1_000_003 + name.hashCode());
    }

    private static MapValue layering(String layer, boolean isAbstract, MapValue selector) {
        MapValue layering = MapValue.builder()
                .put("abstract", Bool.of(isAbstract))
                .put("layer", new Text(layer))
                .build();
        if (selector.isEmpty()) {
            return layering;
        }
        MapValue merge = MapValue.builder()
                .put("method", new Text("merge"))
                .put("path", new Text("."))
                .build();
        return layering.with("parentSelector", selector).with("actions", ListValue.of(merge));
    }

    private static MapValue substitution(String schema, String name, String from, String to, String... pattern) {
        MapValue source = MapValue.builder()
                .put("schema", new Text(schema))
                .put("name", new Text(name))
                .put("path", new Text(from))
                .build();
        MapValue destination = MapValue.of("path", new Text(to));
        if (pattern.length > 0) {
            destination = destination.with("pattern", new Text(pattern[0]));
        }
        return MapValue.builder().put("src", source).put("dest", destination).build();
    }

    private static MapValue metadata(String name, String storagePolicy, MapValue layering) {
        return MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(name))
                .put("storagePolicy", new Text(storagePolicy))
                .put("layeringDefinition", layering)
                .build();
    }

    private static MapValue document(String schema, MapValue metadata, Value data) {
        return MapValue.builder()
                .put("schema", new Text(schema))
                .put("metadata", metadata)
                .put("data", data)
                .build();
    }
}
