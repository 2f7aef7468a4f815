package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Update;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.UnreadableSourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After any edit, the stacks of a workspace equal those of a new workspace. Their correctness is not tested here;
 * that is the purpose of Heat's recorded answers.
 */
class StacksPropertyTest {

    private static final int TREES = 15;

    private static final MapValue POLICY = (MapValue) JsonReader.read("""
        {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
         "data": {"layerOrder": ["site"]}}
        """);

    @ParameterizedTest
    @ValueSource(strings = {"deep", "as-heat"})
    void shouldDeriveAsAFreshWorkspaceAndPublishOnlyDifferences(String mode) {
        long seed = Long.getLong("strake.seed", System.nanoTime());
        int wanted = mode.equals("deep") ? 7 : 5;
        int kinds = 0;
        int most = 10 * TREES; // a kind may be rare by chance
        for (int trees = 0; trees < TREES || (kinds != wanted && trees < most); trees++) {
            RandomTree files = new RandomTree(seed + trees);
            Map<String, MapValue> documents = new TreeMap<>();
            List<String> names = new ArrayList<>(RandomTree.ENVIRONMENTS);
            for (int i = 0; i < 7; i++) {
                names.add("t" + i + ".yaml");
            }
            names.add("script.sh");
            names.add("other.sh");
            names.forEach(name -> documents.put(name, document(files.get(name))));
            documents.put("stack", stack(mode));
            documents.put("policy", POLICY);
            TestWorkspace warm = new TestWorkspace(Renderer.holdingDocuments());
            warm.putBucket("b", List.copyOf(documents.values()));
            for (int step = 0; step < 25; step++) {
                Map<DocumentKey, MapValue> before = Map.copyOf(warm.published());
                String name = files.edit();
                SourceFile file = files.get(name);
                if (file == null) {
                    documents.remove(name);
                } else {
                    documents.put(name, document(file));
                }
                String where = "-Dstrake.seed=" + seed + ", tree " + trees + ", step " + step + ", " + name;
                TestWorkspace now = warm;
                Update update = now.putBucket("b", List.copyOf(documents.values()));
                TestWorkspace cold = new TestWorkspace(Renderer.holdingDocuments());
                cold.putBucket("b", List.copyOf(documents.values()));
                kinds |= assertSame(now, cold, where);
                update.emissions().stream()
                        .filter(emission -> !emission.isRemoval())
                        .forEach(emission -> assertThat(now.published().get(emission.key()))
                                .as(where + " " + emission.key())
                                .isNotEqualTo(before.get(emission.key())));
                if (step % 10 == 9) {
                    warm = warm.reopened();
                }
            }
        }
        assertThat(kinds)
                .as("stacks that are sound, that have no tree, and in the deep mode some that are wrong and have one")
                .isEqualTo(wanted);
    }

    private static int assertSame(TestWorkspace warm, TestWorkspace cold, String where) {
        DocumentId owner = new DocumentId("heat/Stack/v1", "site", "stack");
        Derived one = warm.head().derivations().of(owner);
        Derived other = cold.head().derivations().of(owner);
        assertThat(one.problem()).as(where).isEqualTo(other.problem());
        assertThat(one.reads()).as(where).isEqualTo(other.reads());
        assertThat(one.isStale()).as(where).isEqualTo(other.isStale());
        if (one.isStale()) {
            return 4; // the earlier derived documents stay
        }
        assertThat(one.documents()).as(where).isEqualTo(other.documents());
        assertThat(warm.published()).as(where).isEqualTo(cold.published());
        return one.problem() == null ? 1 : 2;
    }

    private static MapValue stack(String mode) {
        MapValue data = MapValue.builder()
                .put("template", new Text(RandomTree.TOP))
                .put(
                        "environments",
                        ListValue.of(RandomTree.ENVIRONMENTS.stream()
                                .map(name -> (Value) new Text(name))
                                .toList()))
                .put("mode", new Text(mode))
                .build();
        return document("heat/Stack/v1", "stack", data);
    }

    /* Scripts are stored as text, and so are files with invalid YAML. */
    private static MapValue document(SourceFile file) {
        String name = file.name();
        if (name.endsWith(".sh")) {
            return document("heat/File/v1", name, new Text(file.text()));
        }
        Value data;
        try {
            data = file.tree();
        } catch (UnreadableSourceException e) {
            data = new Text(file.text());
        }
        return document(name.startsWith("e") ? "heat/Environment/v1" : "heat/Template/v1", name, data);
    }

    private static MapValue document(String schema, String name, Value data) {
        return MapValue.builder()
                .put("schema", new Text(schema))
                .put(
                        "metadata",
                        MapValue.builder()
                                .put("schema", new Text("metadata/Document/v1"))
                                .put("name", new Text(name))
                                .put("storagePolicy", new Text("cleartext"))
                                .put("layeringDefinition", MapValue.of("layer", new Text("site")))
                                .build())
                .put("data", data)
                .build();
    }
}
