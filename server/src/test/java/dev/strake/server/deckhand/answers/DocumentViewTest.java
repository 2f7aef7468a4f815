package dev.strake.server.deckhand.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import org.junit.jupiter.api.Test;

class DocumentViewTest {

    private static MapValue json(String text) {
        return (MapValue) JsonReader.read(text.replace('\'', '"'));
    }

    @Test
    void shouldFillInMissingFields() {
        MapValue view = DocumentView.of(
                json("{'schema':'a/B/v1','metadata':{'schema':'metadata/Control/v1','name':'x'}}"), "b", 3);
        assertThat(view.map("data")).isEqualTo(MapValue.EMPTY);
        assertThat(view.map("metadata"))
                .isEqualTo(
                        json(
                                "{'schema':'metadata/Control/v1','name':'x','storagePolicy':'cleartext','replacement':false,'layeringDefinition':{'abstract':false}}"));
        assertThat(view.map("status")).isEqualTo(json("{'bucket':'b','revision':3}"));
    }

    @Test
    void shouldKeepGivenFields() {
        MapValue metadata = json(
                "{'schema':'metadata/Document/v1','name':'x','storagePolicy':'encrypted','replacement':true,'layeringDefinition':{'layer':'l','abstract':true}}");
        MapValue tree = MapValue.of("schema", new Text("a/B/v1"))
                .with("metadata", metadata)
                .with("data", Num.of(1));
        MapValue view = DocumentView.of(tree, "b", 3);
        assertThat(view.map("metadata")).isEqualTo(metadata);
        assertThat(view.get("data")).isEqualTo(Num.of(1));
    }

    @Test
    void shouldNumberDocumentsWithinTheRangeOfEveryYamlParser() {
        assertThat(id("x", 1)).isEqualTo(id("x", 1)).isNotEqualTo(id("x", 2)).isNotEqualTo(id("y", 1));
        for (int i = 0; i < 1_000; i++) {
            assertThat(id("x" + i, i)).isBetween(1L, (1L << 53) - 1);
        }
    }

    private static long id(String name, long revision) {
        MapValue tree = json("{'schema':'a/B/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name + "'}}");
        return ((Num) DocumentView.of(tree, "b", revision).get("id")).decimal().longValueExact();
    }
}
