package dev.strake.server.deckhand.documents;

import static dev.strake.server.deckhand.documents.DeepDiffTest.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.tree.MapValue;
import dev.strake.server.deckhand.documents.DocumentOrder.Created;
import dev.strake.server.http.RefusedException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DocumentOrderTest {

    /** Not in the order of creation, which is c, a, b, d. */
    private static final List<Created> ALL = List.of(
            created("{name: d, metadata: {kind: x}, data: {n: 10, mixed: text}}", 2, 1),
            created("{name: a, metadata: {kind: x}, data: {n: 9, mixed: 1}}", 1, 1),
            created("{name: b, metadata: {kind: w}, data: {mixed: [1]}}", 2, 0),
            created("{name: c, metadata: {kind: x}, data: {n: 9.5}}", 1, 0));

    @Test
    void shouldKeepTheOrderOfCreation() {
        assertThat(names(Map.of())).isEqualTo("cabd");
        assertThat(names(Map.of("order", List.of("desc")))).isEqualTo("dbac");
    }

    @Test
    void shouldKeepTheOrderOfCreationWhenNoDocumentHasTheSortPath() {
        assertThat(names(Map.of("sort", List.of("created_at")))).isEqualTo("cabd");
        assertThat(names(Map.of("sort", List.of("id"), "order", List.of("desc"))))
                .isEqualTo("dbac");
    }

    @Test
    void shouldSortByAPath() {
        assertThat(names(Map.of("sort", List.of("name")))).isEqualTo("abcd");
        assertThat(names(Map.of("sort", List.of("name"), "order", List.of("desc"))))
                .isEqualTo("dcba");
        assertThat(names(Map.of("sort", List.of("name"), "order", List.of("sideways"))))
                .isEqualTo("abcd");
    }

    @Test
    void shouldSortByTheFirstPathFirst() {
        assertThat(names(Map.of("sort", List.of("metadata.kind", "name")))).isEqualTo("bacd");
        assertThat(names(Map.of("sort", List.of("name", "metadata.kind")))).isEqualTo("abcd");
    }

    @Test
    void shouldKeepEqualDocumentsInOrderOfCreationInBothDirections() {
        assertThat(names(Map.of("sort", List.of("metadata.kind")))).isEqualTo("bcad");
        assertThat(names(Map.of("sort", List.of("metadata.kind"), "order", List.of("desc"))))
                .isEqualTo("cadb");
    }

    @Test
    void shouldPutDocumentsWithoutThePathFirstAndCompareNumbersByValue() {
        assertThat(names(Map.of("sort", List.of("data.n")))).isEqualTo("bacd");
    }

    @Test
    void shouldOrderValuesOfDifferentKinds() {
        assertThat(names(Map.of("sort", List.of("data.mixed")))).isEqualTo("cadb");
    }

    @Test
    void shouldLimitAfterSortingForEitherSign() {
        assertThat(names(Map.of("sort", List.of("name"), "limit", List.of("2"))))
                .isEqualTo("ab");
        assertThat(names(Map.of("limit", List.of("-2")))).isEqualTo("ca");
        assertThat(names(Map.of("limit", List.of(" 1")))).isEqualTo("c");
        assertThat(names(Map.of("limit", List.of("0")))).isEmpty();
        assertThat(names(Map.of("limit", List.of("99999999999999999999")))).isEqualTo("cabd");
        assertThat(names(Map.of("limit", List.of("00000000001")))).isEqualTo("c");
    }

    @Test
    void shouldRefuseALimitThatIsNotAnInteger() {
        for (String limit : List.of("many", "1.5", "", "-")) {
            assertThatThrownBy(() -> names(Map.of("limit", List.of(limit))))
                    .as(limit)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("400");
        }
    }

    private static Created created(String document, long revision, int place) {
        return new Created((MapValue) yaml(document), revision, place);
    }

    private static String names(Map<String, List<String>> parameters) {
        StringBuilder names = new StringBuilder();
        new DocumentOrder(name -> parameters.getOrDefault(name, List.of()))
                .of(ALL)
                .forEach(each -> names.append(each.text("name")));
        return names.toString();
    }
}
