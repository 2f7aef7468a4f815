package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A problem names the current related documents, not those at the time when it first occurred. */
class RelatedDocumentsTest {

    private static final MapValue POLICY = Json.map("""
            {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
             'data':{'layerOrder':['global','site']}}
            """);

    private static final MapValue READER = document("reader", "site", """
            ,'substitutions':[{'src':{'schema':'t/A/v1','name':'source','path':'.absent'},'dest':{'path':'.b'}}]
            """, "{}");

    @Test
    void shouldNameTheSourceInTheLayerItMovedTo() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        workspace.putBucket("b", List.of(POLICY, READER, document("source", "global", "", "{'a':1}")));
        assertThat(related(workspace)).containsExactly(new DocumentId("t/A/v1", "global", "source"));

        workspace.putBucket("b", List.of(POLICY, READER, document("source", "site", "", "{'a':1}")));

        assertThat(related(workspace)).containsExactly(new DocumentId("t/A/v1", "site", "source"));
    }

    private static List<DocumentId> related(TestWorkspace workspace) {
        return workspace.head().problems(10).stream()
                .map(Problem::related)
                .flatMap(List::stream)
                .toList();
    }

    private static MapValue document(String name, String layer, String more, String data) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'" + layer + "'}" + more + "},'data':"
                + data + "}");
    }
}
