package dev.strake.serdes.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentQueryTest {

    private static final Value CHART = JsonReader.read("""
            {"schema": "armada/Chart/v1", "metadata": {"name": "nova", "labels": {"a.b": "x", "it's": "y"}},
             "data": {"image": "nova:1.10", "replicas": 1.10, "nothing": null, "on": true,
                      "pods": [{"name": "api", "image": "api:2", "ports": [80, 443], "size": 3},
                               {"name": "db", "image": "db:3", "ports": [], "size": 12, "tags": ["$..image", "[1]"]}]}}""");

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "$.data.replicas => .data.replicas=1.10",
                "$..image => .data.image=\"nova:1.10\" .data.pods[0].image=\"api:2\" .data.pods[1].image=\"db:3\"",
                "$.data.pods[*].name => .data.pods[0].name=\"api\" .data.pods[1].name=\"db\"",
                "$.data.pods[-1].name => .data.pods[1].name=\"db\"",
                "$.data.pods[?(@.name == 'db')].image => .data.pods[1].image=\"db:3\"",
                "$.data.pods[?(@.size > 5)].name => .data.pods[1].name=\"db\"",
                "$.data.pods[?(@.name in ['api', 'x'])].name => .data.pods[0].name=\"api\"",
                "$.data.pods[?(@.ports contains 443)].name => .data.pods[0].name=\"api\"",
                "$.data.pods[?(@.ports.length() > 1)].name => .data.pods[0].name=\"api\"",
                "$.data.pods[?(@.tags)].name => .data.pods[1].name=\"db\"",
                "$.data.pods[?(@.tags contains '[1]')].name => .data.pods[1].name=\"db\"",
                "$.metadata.labels['a.b'] => .metadata.labels['a.b']=\"x\"",
                "$.data.nothing => .data.nothing=null",
                "$.data['image','on'] => $['data']['image', 'on']={\"image\":\"nova:1.10\",\"on\":true}",
                "$.data.absent => ''",
                "$.data.pods[7].name => ''",
                "$.data.image[?(@.size > 5)] => ''",
                "$.data.nothing[?(@.size > 5)].name => ''",
                "$.data.on[?(@)] => ''",
                "$.data.image[0:1] => ''",
                "$.data.pods.name => ''",
            })
    void shouldSelectValuesWithTheirPlaces(String query, String expected) {
        Selection selection = DocumentQuery.of(query).in(CHART);
        assertThat(selection.isComplete()).isTrue();
        assertThat(text(selection)).isEqualTo(expected);
    }

    @Test
    void shouldKeepNumbersAsTheyAreWritten() {
        Value document = JsonReader.read("{\"a\": [1.0, 1e400, 123456789012345678901234567890, -0.10]}");
        assertThat(text(DocumentQuery.of("$.a[*]").in(document)))
                .isEqualTo(".a[0]=1.0 .a[1]=1e400 .a[2]=123456789012345678901234567890 .a[3]=-0.10");
        assertThat(text(DocumentQuery.of("$.a[?(@ > 123456789012345678901234567889)]")
                        .in(document)))
                .isEqualTo(".a[1]=1e400 .a[2]=123456789012345678901234567890");
    }

    /* The path of a part in a response is a valid query, which selects this part only. */
    @ParameterizedTest
    @ValueSource(
            strings = {"a.b", "a b", "[0]", "it's", "a\\\\b", "80", "a-b", "@a", "*", "$", "größe", "a','b", "", "where"
            })
    void shouldWritePathsThatAreValidQueries(String key) {
        MapValue odd = MapValue.of(key, MapValue.of("c", Num.of(1)));
        Value document = MapValue.of("data", ListValue.of(List.of(odd))).with("other", odd);
        Selection first = DocumentQuery.of("$.data..c").in(document);
        assertThat(first.parts()).hasSize(1);
        String path = first.parts().get(0).path();
        assertThat(DocumentQuery.of("$" + path).in(document)).as(path).isEqualTo(first);
    }

    @Test
    void shouldFindPlacesOfKeysThatLookLikePaths() {
        Value document = JsonReader.read("{\"a']['b\": {\"c\": 1}, \"a\": {\"b\": {\"c\": 2}}}");
        assertThat(DocumentQuery.of("$..c").in(document).parts()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data.image",
                "",
                "$",
                "$.",
                "$..",
                "$.a[?(@.b",
                "$.a[?(@.b =~ /(a+)+/)]",
                "$.a.length()",
                "$.a.sum()",
                "$.append('x')",
                "$.concat($.a, $.b)"
            })
    void shouldRejectInvalidQueries(String text) {
        if (text.equals("$")) {
            assertThat(DocumentQuery.of(text).in(CHART).parts()).hasSize(1);
            return;
        }
        assertThatThrownBy(() -> DocumentQuery.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The query is not an allowed JSONPath: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$..[", "$['a"})
    void shouldReportAnUnfinishedQuery(String text) {
        assertThatThrownBy(() -> DocumentQuery.of(text))
                .hasMessageStartingWith("The query is not an allowed JSONPath: ")
                .hasMessageNotContaining("Exception");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            value = {
                "$..[?(@ empty true)] => character 2: ..[?(@ empty true)]",
                "$..[?(@ empty false)] => character 2:",
                "$..[?(@.c == $..*)] => character 2:",
                "$..[?($..* == @.c)] => character 2:",
                "$.a[?(@.b => character 4: [?(@.b",
                "$.a[?(@.b ~ 1)] => character 4:",
                "$.a[1:x] => character 4:",
                "$.a.length() => This one is at character",
                "$.a[?(@.b =~ /x/)] => (=~, at character 11)",
            })
    void shouldReportWhereAQueryIsInvalid(String text, String expected) {
        assertThatThrownBy(() -> DocumentQuery.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The query is not an allowed JSONPath: ")
                .hasMessageContaining(expected)
                .hasMessageNotContainingAny("Exception", "mapped", "token", "position", "class ", "Expected");
    }

    /* Every query is either answered or rejected with a message. */
    @Test
    void shouldAnswerOrRejectAnyQuery() {
        String[] pieces = {
            "$",
            ".",
            "..",
            "*",
            "[",
            "]",
            "[?(",
            ")]",
            "@",
            "@.a",
            "$..*",
            " empty ",
            " size ",
            " in ",
            " nin ",
            " subsetof ",
            " anyof ",
            " contains ",
            " == ",
            " != ",
            " > ",
            " <= ",
            "true",
            "null",
            "1",
            "'x'",
            "[1,2]",
            "{}",
            ".data",
            ".pods",
            "[0]",
            "[-1:]",
            "[?(@ empty true)]",
            "[?(@.name)]",
            " && ",
            " || ",
            "!",
            ".length()",
            ".sum()",
            "(",
            ")"
        };
        Random random = new Random(7);
        int answered = 0;
        for (int i = 0; i < 30_000; i++) {
            StringBuilder query = new StringBuilder("$");
            for (int piece = random.nextInt(7); piece >= 0; piece--) {
                query.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                DocumentQuery.of(query.toString()).in(CHART);
                answered++;
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("The query is not an allowed JSONPath: ");
            }
        }
        assertThat(answered).isGreaterThan(100);
    }

    @Test
    void shouldRejectQueriesThatAreTooLongOrTooDeep() {
        assertThatThrownBy(() -> DocumentQuery.of("$." + "a".repeat(500))).hasMessageContaining("longer than");
        assertThatThrownBy(() -> DocumentQuery.of("$" + "[?(@.a".repeat(60) + ")]".repeat(60)))
                .hasMessageContaining("nested more than");
    }

    @Test
    void shouldStopAQueryThatMultiplies() {
        Value tree = new Text("leaf");
        for (int i = 0; i < 12; i++) {
            tree = ListValue.of(tree, tree);
        }
        Selection selection = DocumentQuery.of("$..*..*..*..*..*..*").in(tree);
        assertThat(selection.isComplete()).isFalse();
        assertThat(selection.isEmpty()).isFalse();
    }

    @Test
    void shouldTreatTextsOfDocumentsAsDataInQueries() {
        String evil = "$[?(@.text =~ /(a+)+$/)]";
        MapValue document = MapValue.of("list", ListValue.of(new Text(evil), new Text("a".repeat(40) + "b")))
                .with("text", new Text("a".repeat(40) + "b"));
        Value all = ListValue.of(document);
        assertThat(DocumentQuery.of("$[?('x' in @.list)]").in(all).parts()).isEmpty();
        assertThat(DocumentQuery.of("$[?(@.list contains 'x')]").in(all).parts())
                .isEmpty();
        assertThat(DocumentQuery.of("$[?(@.list anyof ['x'])]").in(all).parts()).isEmpty();
    }

    @Test
    void shouldNotReadAMillionDigits() {
        Value all = JsonReader.read("[{\"a\": " + "9".repeat(900_000) + ", \"b\": \"" + "9".repeat(900_000) + "\"}]");
        assertThat(DocumentQuery.of("$[?(@.a > 5)]").in(all).isComplete()).isFalse();
        assertThat(DocumentQuery.of("$[?(5 == @.b)]").in(all).isComplete()).isFalse();
    }

    @Test
    void shouldBoundTheResult() {
        List<Value> many = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            many.add(Num.of(i));
        }
        Selection numbers = DocumentQuery.of("$[*]").in(ListValue.of(many));
        assertThat(numbers.parts()).hasSize(10_000);
        assertThat(numbers.isComplete()).isFalse();
        Selection large = DocumentQuery.of("$[*]").in(ListValue.of(new Text("x".repeat(2 << 20))));
        assertThat(large.parts()).isEmpty();
        assertThat(large.in(MapValue.EMPTY).has("complete")).isTrue();
    }

    @Test
    void shouldCountItsSteps() {
        long[] steps = new long[1];
        DocumentQuery.of("$..image").in(CHART, more -> steps[0] += more);
        assertThat(steps[0]).isBetween(20L, 500L);
    }

    private static String text(Selection selection) {
        return selection.parts().stream()
                .map(part -> part.path() + "=" + JsonBytes.text(part.value()))
                .reduce((one, other) -> one + " " + other)
                .orElse("");
    }
}
