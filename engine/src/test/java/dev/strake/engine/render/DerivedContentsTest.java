package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What random stories do not reach: how far it goes, how often it works, and what it refuses. */
class DerivedContentsTest {

    private final TestWorkspace workspace = new TestWorkspace();

    /** Keeps what was worked out, and tells for which documents. */
    private class Counting implements DerivedContents.Stored {

        private final Map<DocumentId, Value> kept = new HashMap<>();
        private final List<String> worked = new ArrayList<>();

        @Override
        public Document document(DocumentId id) {
            return workspace.document(id);
        }

        @Override
        public Fingerprint hash(DocumentId id) {
            return workspace.head().evaluation(id).data();
        }

        @Override
        public Value data(DocumentId id) {
            return kept.get(id);
        }

        @Override
        public void keep(DocumentId id, Value data) {
            worked.add(id.name());
            assertThat(kept.put(id, data)).as("worked out once").isNull();
        }
    }

    private static MapValue policy() {
        return Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                + "'data':{'layerOrder':['site']}}");
    }

    private static MapValue tree(String name, String source, String data) {
        String substitutions = source == null
                ? ""
                : ",'substitutions':[{'src':{'schema':'t/A/v1','name':'" + source
                        + "','path':'.value'},'dest':{'path':'.value'}}]";
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'site'}" + substitutions + "},'data':"
                + data + "}");
    }

    private static DocumentId id(String name) {
        return new DocumentId("t/A/v1", "site", name);
    }

    @Test
    void shouldGoAlongAChainOfAnyLength() {
        int length = 20_000;
        List<MapValue> documents = new ArrayList<>(List.of(policy(), tree("d0", null, "{'value':'x'}")));
        for (int i = 1; i < length; i++) {
            documents.add(tree("d" + i, "d" + (i - 1), "{'number':" + i + "}"));
        }
        workspace.putBucket("b", documents);

        Value last = workspace.data(id("d" + (length - 1)));

        assertThat(last).isEqualTo(Json.map("{'number':" + (length - 1) + ",'value':'x'}"));
    }

    @Test
    void shouldWorkOutWhatItNeedsOnceAndNothingElse() {
        workspace.put(
                "b",
                policy(),
                tree("plain", null, "{'value':1}"),
                tree("left", "plain", "{}"),
                tree("right", "plain", "{}"),
                tree("other", "plain", "{}"),
                tree("end", "left", "{}"));
        Counting stored = new Counting();
        DerivedContents contents = new DerivedContents(workspace.head().graph(), stored);

        contents.data(id("end"));
        contents.data(id("right"));
        contents.data(id("end"));

        assertThat(stored.worked).containsExactly("left", "end", "right");
    }

    @Test
    void shouldRefuseWhatIsNotAsItWas() {
        workspace.put("b", policy(), tree("a", null, "{'value':1}"), tree("b", "a", "{}"));
        Counting changed = new Counting() {
            @Override
            public Document document(DocumentId id) {
                return Document.ofValid(tree(id.name(), id.name().equals("a") ? null : "a", "{'value':2}"));
            }
        };
        DerivedContents contents = new DerivedContents(workspace.head().graph(), changed);

        assertThatThrownBy(() -> contents.data(id("b")))
                .isInstanceOf(UnderivableException.class)
                .hasMessageContaining("t/A/v1")
                .hasMessageContaining("comes out different");
    }
}
