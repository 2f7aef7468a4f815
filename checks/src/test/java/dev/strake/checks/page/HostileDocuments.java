package dev.strake.checks.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.List;

/** Documents written to harm readers or the browser. */
final class HostileDocuments {

    static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "layering-policy"},
             "data": {"layerOrder": ["global", "site"]}}""";

    /** Names, keys and values that would have an effect if they were more than text. */
    static final List<String> TEXTS = List.of(
            "<img src=x onerror=window.pwned=1>",
            "\"><script>window.pwned=2</script>",
            "javascript:window.pwned=3",
            "</title></textarea></style><svg onload=window.pwned=4>",
            "__proto__",
            "constructor",
            "hasOwnProperty",
            "a/b%2F..%2f#x?y=z&w=1 +",
            "\u202Eelif\u202C\u200B\uD83D\uDE80",
            "{{7*7}}${7*7}<%= 7*7 %>",
            "'; background: url(//evil.example/x)");

    private static final ObjectMapper JSON = new ObjectMapper();

    private HostileDocuments() {}

    /** One document for each text: in its name, its labels, its keys and its values. */
    static String ofTexts() {
        ArrayNode all = JSON.createArrayNode().add(read(POLICY));
        for (String text : TEXTS) {
            ObjectNode document = document(text, "site");
            ((ObjectNode) document.get("metadata")).putObject("labels").put(text, text);
            ObjectNode data = (ObjectNode) document.get("data");
            data.put(text, text).put("10", 1).put("9", "before 10");
            data.putArray("list").add(text).add(text + "\n" + text);
            data.putRawValue("number", new RawValue("1.0"));
            all.add(document);
        }
        ObjectNode broken = document("<b>broken</b>", "site");
        ObjectNode substitution =
                ((ObjectNode) broken.get("metadata")).putArray("substitutions").addObject();
        substitution
                .putObject("src")
                .put("schema", "example/Kind/v1")
                .put("name", "<i>nowhere</i>")
                .put("path", ".");
        substitution.putObject("dest").put("path", ".a");
        return all.add(broken).toString();
    }

    private static ObjectNode document(String name, String layer) {
        ObjectNode document = JSON.createObjectNode().put("schema", "example/Kind/v1");
        ObjectNode metadata = document.putObject("metadata")
                .put("schema", "metadata/Document/v1")
                .put("name", name);
        metadata.put("storagePolicy", "cleartext")
                .putObject("layeringDefinition")
                .put("layer", layer);
        document.putObject("data");
        return document;
    }

    private static ObjectNode read(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
