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
 * Document sets that resemble published sites, made from a seed: a layering policy, catalogues that others substitute
 * from, abstract parents, and leaves of about 2 KB that layer on a parent and take a value or two from a catalogue.
 */
final class DocumentSets {

    private static final int LEAVES_OF_A_PARENT = 20;
    private static final int LEAVES_OF_A_CATALOGUE = 50;

    private final Random random;

    DocumentSets(long seed) {
        this.random = new Random(seed);
    }

    /** The order of layers that all sets use. */
    static MapValue policy() {
        return document(
                "deckhand/LayeringPolicy/v1",
                MapValue.builder()
                        .put("schema", new Text("metadata/Control/v1"))
                        .put("name", new Text("layering-policy"))
                        .build(),
                MapValue.of("layerOrder", ListValue.of(new Text("global"), new Text("site"))));
    }

    /** A whole set of about this many documents. */
    List<MapValue> set(int documents) {
        List<MapValue> result = new ArrayList<>();
        result.add(policy());
        int leaves = Math.max(1, documents * 9 / 10);
        int parents = leaves / LEAVES_OF_A_PARENT + 1;
        int catalogues = leaves / LEAVES_OF_A_CATALOGUE + 1;
        for (int i = 0; i < parents; i++) {
            result.add(parent(i, 0));
        }
        for (int i = 0; i < catalogues; i++) {
            result.add(catalogue(i));
        }
        for (int i = 0; result.size() < documents; i++) {
            result.add(leaf(i, i % parents, i % catalogues, 0));
        }
        return result;
    }

    /** A parent and the children that layer on it, and on nothing else. */
    List<MapValue> family(int children) {
        List<MapValue> result = new ArrayList<>(List.of(policy(), parent(0, 0)));
        for (int i = 0; i < children; i++) {
            result.add(leaf(i, 0, -1, 0));
        }
        return result;
    }

    /** A parent; two with different versions differ in what their children take over. */
    MapValue parent(int i, int version) {
        MapValue layering = MapValue.builder()
                .put("abstract", Bool.TRUE)
                .put("layer", new Text("global"))
                .build();
        MapValue metadata =
                metadata("parent-" + i, layering).with("labels", MapValue.of("family", new Text("family-" + i)));
        return document("bench/Chart/v1", metadata, body(1_700).with("version", Num.of(version)));
    }

    /** A leaf with a parent and, unless negative, a catalogue; two with different versions render differently. */
    static MapValue leaf(int i, int parent, int catalogue, int version) {
        MapValue layering = MapValue.builder()
                .put("layer", new Text("site"))
                .put("parentSelector", MapValue.of("family", new Text("family-" + parent)))
                .put(
                        "actions",
                        ListValue.of(MapValue.builder()
                                .put("method", new Text("merge"))
                                .put("path", new Text("."))
                                .build()))
                .build();
        MapValue metadata = metadata("leaf-" + i, layering);
        if (catalogue >= 0) {
            metadata = metadata.with(
                    "substitutions",
                    ListValue.of(MapValue.builder()
                            .put(
                                    "src",
                                    MapValue.builder()
                                            .put("schema", new Text("bench/Catalogue/v1"))
                                            .put("name", new Text("catalogue-" + catalogue))
                                            .put("path", new Text(".section0.key0"))
                                            .build())
                            .put("dest", MapValue.of("path", new Text(".taken.value")))
                            .build()));
        }
        MapValue own = MapValue.builder()
                .put("own", Num.of(i))
                .put("change", Num.of(version))
                .build();
        return document("bench/Chart/v1", metadata, own);
    }

    private MapValue catalogue(int i) {
        MapValue layering = MapValue.of("layer", new Text("global"));
        return document("bench/Catalogue/v1", metadata("catalogue-" + i, layering), body(1_800));
    }

    private MapValue body(int bytes) {
        MapValue.Builder sections = MapValue.builder();
        long weight = 0;
        for (int s = 0; weight < bytes; s++) {
            MapValue.Builder section = MapValue.builder();
            for (int k = 0; k < 6; k++) {
                section.put("key" + k, new Text("value-" + Long.toHexString(random.nextLong())));
            }
            Value built = section.build();
            weight += built.weight();
            sections.put("section" + s, built);
        }
        return sections.build();
    }

    private static MapValue metadata(String name, MapValue layering) {
        return MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(name))
                .put("storagePolicy", new Text("cleartext"))
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
