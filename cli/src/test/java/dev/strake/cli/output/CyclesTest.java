package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.offline.OfflineRendering;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cycles among the problems of documents. */
class CyclesTest {

    private static final List<Document> DOCUMENTS = List.of(
            document("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                    + "'data':{'layerOrder':['site']}}"),
            reader("a", "b"),
            reader("b", "a"),
            reader("self", "self"),
            reader("c", "a"));

    private static Document reader(String name, String source) {
        return document("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'site'},'substitutions':"
                + "[{'src':{'schema':'t/A/v1','name':'" + source
                + "','path':'.v'},'dest':{'path':'.w'}}]},'data':{'v':1}}");
    }

    private static Document document(String json) {
        return Document.ofValid(
                (MapValue) JsonValues.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldTellEachCycleOnceAndWhatDependsOnIt() {
        List<Problem> all = OfflineRendering.of(DOCUMENTS, Renderer.holdingDocuments(), Redaction.CLEARTEXT)
                .problems();
        assertThat(all)
                .as("whoever compares what consumers hold needs all of them")
                .extracting(Problem::document)
                .extracting(DocumentId::name)
                .containsExactlyInAnyOrder("a", "b", "self", "c");
        assertThat(all.get(0).message()).isEqualTo(all.get(1).message());

        assertThat(Cycles.once(all))
                .extracting(Problem::document)
                .extracting(DocumentId::name)
                .containsExactlyInAnyOrder("a", "self", "c");
    }
}
