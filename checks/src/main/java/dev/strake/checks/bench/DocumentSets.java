package dev.strake.checks.bench;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Document sets that resemble published sites. Every document depends only on the seed and its own name, so a leaf of a
 * huge set can be generated with a changed value without the rest of the set.
 *
 * <pre>
 *  global   policy │ bases (abstract) ◄─┐   catalogues, passphrases ◄── substitutions ──┐
 *  type            │ profiles (abstract)┴◄─┐                                            │
 *  site            │                leaves ┴ of about 2 KB ─────────────────────────────┘
 * </pre>
 *
 * @param leaves the number of leaves; consumers read these and the catalogues
 * @param leavesOfAProfile the number of children of a parent
 */
public record DocumentSets(long seed, int leaves, int leavesOfAProfile) {

    private static final int PROFILES_OF_A_BASE = 5;
    private static final int LEAVES_OF_A_CATALOGUE = 50;
    private static final String[] WORDS = {
        "compute", "storage", "ingress", "replica", "volume", "primary", "gateway", "timeout", "enabled", "address",
        "monitor", "backup", "network", "cluster", "release", "upgrade"
    };

    /** Returns a set of about the given size, nine tenths of which are leaves. */
    public static DocumentSets ofSize(long seed, int documents) {
        DocumentSets set = new DocumentSets(seed, Math.max(1, documents * 9 / 10), 20);
        for (int i = 0; i < 3; i++) { // more leaves need more parents, so the size converges in a few steps
            set = new DocumentSets(seed, Math.max(1, set.leaves + documents - set.size()), 20);
        }
        return set;
    }

    /** Returns one profile with its children, to measure the fan-out of one change. */
    public static DocumentSets family(long seed, int children) {
        return new DocumentSets(seed, children, children);
    }

    public int size() {
        return 1 + bases() + profiles() + 2 * catalogues() + leaves;
    }

    /** The number of documents that consumers get. */
    public int rendered() {
        return 2 * catalogues() + leaves;
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

    /** Returns all documents, in an order in which every prefix is a valid set. */
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

    /** Some documents of one bucket. */
    public record Slice(String bucket, List<MapValue> documents) {}

    /** Returns all documents, in slices of one bucket with a limited size. */
    public List<Slice> slices(int most) {
        List<Slice> result = new ArrayList<>();
        for (MapValue document : all()) {
            Slice last = result.isEmpty() ? null : result.get(result.size() - 1);
            if (last == null || !last.bucket.equals(bucket(document)) || last.documents.size() == most) {
                last = new Slice(bucket(document), new ArrayList<>());
                result.add(last);
            }
            last.documents.add(document);
        }
        return result;
    }

    /** Returns the bucket of a document: one for each layer. */
    public static String bucket(MapValue document) {
        MapValue layering = (MapValue) ((MapValue) document.get("metadata")).get("layeringDefinition");
        return layering == null ? "global" : ((Text) layering.get("layer")).value();
    }

    private static MapValue policy() {
        return tree("""
                {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
                 "data": {"layerOrder": ["global", "type", "site"]}}""");
    }

    private MapValue base(int i) {
        String more = "\"labels\": {\"base\": \"base-%d\"}, %s".formatted(i, layering("global", true, null));
        return document("bench/Chart/v1", "base-" + i, "cleartext", more, body("base-" + i, 2));
    }

    /** Returns a parent. Its versions differ in one value, which its children inherit. */
    public MapValue profile(int i, int version) {
        String selector = "\"base\": \"base-%d\"".formatted(i / PROFILES_OF_A_BASE);
        String more = "\"labels\": {\"profile\": \"profile-%d\"}, %s".formatted(i, layering("type", true, selector));
        MapValue data = body("profile-" + i, 2).with("profileVersion", Num.of(version));
        return document("bench/Chart/v1", "profile-" + i, "cleartext", more, data);
    }

    /** Returns a leaf. Its versions differ in one value. */
    public MapValue leaf(int i, int version) {
        String name = "leaf-" + i;
        String more = """
                %s, "substitutions": [
                  {"src": {"schema": "bench/Catalogue/v1", "name": "catalogue-%2$d", "path": ".section0"},
                   "dest": {"path": ".endpoint"}},
                  {"src": {"schema": "deckhand/Passphrase/v1", "name": "passphrase-%2$d", "path": "."},
                   "dest": {"path": ".url", "pattern": "SECRET"}}]""".formatted(
                        layering("site", false, "\"profile\": \"profile-%d\"".formatted(i / leavesOfAProfile)),
                        i % catalogues());
        MapValue data = body(name, 4)
                .with("url", new Text("https://service:SECRET@" + name + ".example.net:8443/v1"))
                .with("version", Num.of(version));
        return document("bench/Chart/v1", name, "cleartext", more, data);
    }

    private MapValue catalogue(int i) {
        String name = "catalogue-" + i;
        return document("bench/Catalogue/v1", name, "cleartext", layering("global", false, null), body(name, 6));
    }

    private MapValue passphrase(int i) {
        String name = "passphrase-" + i;
        Text secret = new Text(Long.toHexString(random(name).nextLong()));
        return document("deckhand/Passphrase/v1", name, "encrypted", layering("global", false, null), secret);
    }

    /* Sections have the same keys everywhere, like charts of one kind, but different values. */
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
            case 2 -> ListValue.of(new Text(word(random)), new Text(word(random)), new Text(word(random)));
            default -> new Text(word(random) + "-" + word(random) + "-" + random.nextInt(1_000_000));
        };
    }

    private static String word(Random random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private Random random(String name) {
        return new Random(seed * 1_000_003 + name.hashCode());
    }

    private static String layering(String layer, boolean isAbstract, String selector) {
        String parent = selector == null
                ? ""
                : ", \"parentSelector\": {%s}, \"actions\": [{\"method\": \"merge\", \"path\": \".\"}]"
                        .formatted(selector);
        return "\"layeringDefinition\": {\"abstract\": %s, \"layer\": \"%s\"%s}".formatted(isAbstract, layer, parent);
    }

    private static MapValue document(String schema, String name, String storagePolicy, String more, Value data) {
        return tree("""
                {"schema": "%s", "metadata": {"schema": "metadata/Document/v1", "name": "%s", "storagePolicy": "%s", %s}}""".formatted(schema, name, storagePolicy, more)).with("data", data);
    }

    private static MapValue tree(String json) {
        return (MapValue) JsonReader.read(json);
    }
}
