package dev.strake.server.state;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.document;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.server.Installation;
import dev.strake.server.settings.Catalogue;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListingsIT {

    private static final String COLLECTION = """
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/Server/v1, path: .value, into: {schema: example/Values/v1, name: all}}
            """;

    @TempDir
    Path directory;

    @Test
    void shouldContinueTheNextPageAfterADerivedDocument() throws Exception {
        try (Installation strake = new Installation("listings", directory, 1)) {
            strake.startServer();
            HttpResponse<String> put = strake.send(
                    null,
                    "PUT",
                    "/workspaces/site-a/buckets/b",
                    POLICY
                            + document("web", 80)
                            + COLLECTION
                            + COLLECTION.replace("gather", "more").replace("all}", "more}"));
            assertThat(put.body()).contains("\"status\":\"rendered\"");
            for (String list : List.of("graph", "rendered", "documents")) {
                String path = "/workspaces/site-a/" + list + "?limit=";
                JsonNode whole = page(strake, path + "100");
                List<JsonNode> paged = new ArrayList<>();
                String after = "";
                do {
                    JsonNode page = page(strake, path + "1" + after);
                    paged.addAll(items(page));
                    after = page.has("next") ? "&after=" + page.get("next").textValue() : "";
                } while (!after.isEmpty());
                assertThat(paged).as(list).isEqualTo(items(whole));
            }
        }
    }

    @Test
    void shouldShowSinceWhichRevisionADocumentIsUnchanged() throws Exception {
        try (Installation strake = new Installation("since", directory, 1)) {
            strake.startServer();
            for (int value = 1; value <= 3; value++) {
                String all = POLICY + document("same", 1) + document("web", value);
                assertThat(strake.send(null, "PUT", "/workspaces/site-a/buckets/b", all)
                                .body())
                        .contains("\"revision\":" + value);
            }
            for (String list : List.of("graph", "documents")) {
                for (int revision = 1; revision <= 3; revision++) {
                    JsonNode page = page(strake, "/workspaces/site-a/" + list + "?revision=" + revision);
                    assertThat(items(page))
                            .as(list + " of revision " + revision)
                            .extracting(each -> each.get("since").intValue())
                            .containsExactlyInAnyOrder(1, 1, revision);
                }
            }
        }
    }

    @Test
    void shouldNotSendAListAgainWhileTheHeadIsTheSame() throws Exception {
        try (Installation strake = new Installation("tagged", directory, 1)) {
            strake.startServer();
            strake.send(null, "PUT", "/workspaces/site-a/buckets/b", POLICY);
            for (String list : List.of("documents", "rendered", "problems", "graph", "buckets")) {
                String path = "/workspaces/site-a/" + list;
                String tag = strake.send(null, "GET", path, "")
                        .headers()
                        .firstValue("ETag")
                        .orElseThrow();
                HttpResponse<String> again = strake.send(null, "GET", path, "", "If-None-Match", tag);
                assertThat(again.statusCode()).as(list).isEqualTo(304);
                assertThat(again.body()).isEmpty();
                assertThat(again.headers().firstValue("ETag")).hasValue(tag);
            }
            strake.send(null, "PUT", "/workspaces/site-a/buckets/b", POLICY + document("web", 1));
            assertThat(strake.send(null, "GET", "/workspaces/site-a/documents", "", "If-None-Match", "\"1\"")
                            .body())
                    .contains("\"revision\":2");
        }
    }

    @Test
    void shouldShowWhichRevisionAndWhoBeganAProblem() throws Exception {
        try (Installation strake = new Installation("begun", directory, 1)) {
            strake.startServer();
            String broken = document("web", 1)
                    .replace(
                            "}}", "}, substitutions: [{src: {schema: a/B/v1, name: none, path: .}, dest: {path: .}}]}");
            strake.send(null, "PUT", "/workspaces/site-a/buckets/b", POLICY);
            strake.send(null, "PUT", "/workspaces/site-a/buckets/c?author=ann", broken);
            strake.send(null, "PUT", "/workspaces/site-a/buckets/d?author=bob", document("other", 1));
            assertThat(items(page(strake, "/workspaces/site-a/problems")))
                    .singleElement()
                    .satisfies(problem -> {
                        JsonNode begun = problem.get("begun");
                        assertThat(begun.get("revision").intValue()).isEqualTo(2);
                        assertThat(begun.get("before").intValue()).isEqualTo(1);
                        assertThat(begun.get("bucket").textValue()).isEqualTo("c");
                        assertThat(begun.get("author").textValue()).isEqualTo("ann");
                    });
            strake.send(null, "PUT", "/workspaces/site-a/buckets/b?max-removals=100%25", "");
            assertThat(items(page(strake, "/workspaces/site-a/problems")).get(0).toString())
                    .as("the problem of the whole: consumers lack the revisions from 2 on")
                    .contains("\"document\":null")
                    .contains("\"begun\":{\"revision\":2,");
        }
    }

    @Test
    void shouldListWhatRenderedWithMasksIfTheKeysetIsGone() throws Exception {
        String secret = """
                ---
                schema: deckhand/Passphrase/v1
                metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: sw0rdfish
                """;
        Path data = directory.resolve("data");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        try (Installation strake = new Installation("gone", data, 1).with(Catalogue.SECRETS_KEYSET, keyset)) {
            strake.startServer();
            strake.send(null, "PUT", "/workspaces/site-a/buckets/b", POLICY + document("web", 80) + secret);
        }
        Files.delete(keyset);
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        try (Installation strake = new Installation("gone", data, 1).with(Catalogue.SECRETS_KEYSET, keyset)) {
            strake.startServer();
            assertThat(items(page(strake, "/workspaces/site-a/rendered"))).hasSize(3);
            assertThat(items(page(strake, "/workspaces/site-a/rendered?name=password&cleartext-secrets=true")))
                    .singleElement()
                    .satisfies(each -> assertThat(each.get("data").textValue()).startsWith("****** no key "));
        }
    }

    private static List<JsonNode> items(JsonNode page) {
        List<JsonNode> items = new ArrayList<>();
        page.get("items").forEach(items::add);
        return items;
    }

    private static JsonNode page(Installation strake, String path) throws Exception {
        HttpResponse<String> answer = strake.send(null, "GET", path, "");
        assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }
}
