package dev.strake.server.deckhand.documents;

import static dev.strake.server.deckhand.documents.DeepDiffTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentFilterTest {

    private static final MapValue NOVA = (MapValue) yaml("""
            schema: armada/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: nova
              labels: {k: v, z: '1', n: 1, equation: a=b}
              layeringDefinition: {layer: site, abstract: false}
            data: {}
            status: {bucket: mop, revision: 1}
            """);

    @Test
    void shouldSelectASchemaByItsNameOrLeadingParts() {
        for (String schema : List.of("armada/Chart/v1", "armada/Chart", "armada")) {
            assertThat(selects("schema", schema)).as(schema).isTrue();
        }
        for (String schema :
                List.of("arm", "armada/", "armada/Cha", "armada/Chart/", "armada/Chart/v", "", "armada/Chart/v1/")) {
            assertThat(selects("schema", schema)).as(schema).isFalse();
        }
    }

    @Test
    void shouldSelectByNameLayerAndBucket() {
        assertThat(selects("metadata.name", "nova")).isTrue();
        assertThat(selects("metadata.name", "nov")).isFalse();
        assertThat(selects("metadata.layeringDefinition.layer", "site")).isTrue();
        assertThat(selects("metadata.layeringDefinition.layer", "global")).isFalse();
        assertThat(selects("status.bucket", "mop")).isTrue();
        assertThat(selects("status.bucket", "pop")).isFalse();
    }

    @Test
    void shouldSelectDocumentsWithAnyOfTheRepeatedValues() {
        assertThat(selects("schema", "other", "armada")).isTrue();
        assertThat(selects("metadata.name", "keystone", "nova")).isTrue();
        assertThat(selects("status.bucket", "pop", "mop")).isTrue();
    }

    @Test
    void shouldSelectDocumentsWithAllLabels() {
        assertThat(selects("metadata.label", "k=v")).isTrue();
        assertThat(selects("metadata.label", "k=v", "z=1")).isTrue();
        assertThat(selects("metadata.label", "k=v", "z=2")).isFalse();
    }

    @Test
    void shouldEndTheKeyOfALabelAtTheFirstEqualsSign() {
        assertThat(selects("metadata.label", "equation=a=b")).isTrue();
        assertThat(selects("metadata.label", "equation=a")).isFalse();
    }

    @Test
    void shouldSelectNothingByALabelWithoutATextValue() {
        assertThat(selects("metadata.label", "k")).isFalse();
        assertThat(selects("metadata.label", "n=1")).isFalse();
        assertThat(selects("metadata.label", "=v")).isFalse();
    }

    @Test
    void shouldReadAbstractInAnyCaseAndSelectNothingByAnotherWord() {
        String name = "metadata.layeringDefinition.abstract";
        assertThat(selects(name, "False")).isTrue();
        assertThat(selects(name, "TRUE")).isFalse();
        assertThat(selects(name, "no")).isFalse();
    }

    @Test
    void shouldIgnoreAbstractForRenderedDocuments() {
        Map<String, List<String>> parameters = Map.of("metadata.layeringDefinition.abstract", List.of("true"));
        assertThat(DocumentFilter.ofRendered(name -> parameters.getOrDefault(name, List.of()))
                        .selects(NOVA))
                .isTrue();
    }

    /* Also checks that the filter on identities agrees. */
    private static boolean selects(String parameter, String... values) {
        Map<String, List<String>> parameters = Map.of(parameter, List.of(values));
        DocumentFilter filter = DocumentFilter.ofPublished(name -> parameters.getOrDefault(name, List.of()));
        boolean selects = filter.selects(NOVA);
        if (selects) {
            assertThat(filter.mayBe(new DocumentId("armada/Chart/v1", "site", "nova")))
                    .isTrue();
        }
        return selects;
    }
}
