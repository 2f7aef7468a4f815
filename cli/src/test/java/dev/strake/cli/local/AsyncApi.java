package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The AsyncAPI document, used to validate records. */
public final class AsyncApi {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode document;
    private final JsonNode closed;
    private final Map<String, PublishedSchema> schemas = new TreeMap<>();

    private AsyncApi(JsonNode document) {
        this.document = document;
        this.closed = document.deepCopy();
        close(closed.at("/components"));
    }

    public static AsyncApi read() throws IOException {
        return new AsyncApi(DeployedFiles.document(DeployedFiles.PROJECT.resolve("docs/asyncapi.yaml")));
    }

    JsonNode document() {
        return document;
    }

    /** The channels by address, which is a topic. */
    Map<String, JsonNode> channels() {
        Map<String, JsonNode> channels = new TreeMap<>();
        document.get("channels")
                .forEach(channel -> channels.put(channel.get("address").asText(), channel));
        return channels;
    }

    /** The message name of a record. If a topic has two messages, the value decides: the second is the tombstone. */
    public String messageOf(ConsumerRecord<byte[], byte[]> message) {
        List<String> names = new ArrayList<>();
        channels().get(message.topic()).get("messages").fieldNames().forEachRemaining(names::add);
        if (names.size() == 1) {
            return names.get(0);
        }
        return names.get(message.value() == null ? 1 : 0); // the second is the tombstone
    }

    /** Returns violations in key, headers and payload; undeclared members are violations, too. */
    public List<String> violations(String name, ConsumerRecord<byte[], byte[]> message) throws IOException {
        String path = "/components/messages/" + name;
        JsonNode key = closed.at(path + "/bindings/kafka/key");
        String keyPath = path + "/bindings/kafka/key";
        JsonNode shared = closed.at(path + "/bindings/$ref");
        if (shared.isTextual()) {
            keyPath = shared.asText().substring(1) + "/kafka/key";
            key = closed.at(keyPath);
        }
        List<String> all = new ArrayList<>();
        if (!key.isMissingNode()) {
            all.addAll(schema(keyPath).violations(text(message.key())));
        }
        ObjectNode headers = JsonNodeFactory.instance.objectNode();
        for (Header header : message.headers()) {
            headers.set(header.key(), text(header.value()));
        }
        all.addAll(schema(path + "/headers").violations(headers));
        boolean json = !document.at(path).has("contentType");
        JsonNode value = json && message.value() != null ? JSON.readTree(message.value()) : text(message.value());
        all.addAll(schema(path + "/payload").violations(value));
        return all;
    }

    private static JsonNode text(byte[] bytes) {
        return bytes == null
                ? JsonNodeFactory.instance.nullNode()
                : JsonNodeFactory.instance.textNode(new String(bytes, UTF_8));
    }

    /* References point into the whole document, so it is embedded in each schema. */
    private PublishedSchema schema(String path) {
        return schemas.computeIfAbsent(path, key -> {
            ObjectNode whole = JsonNodeFactory.instance.objectNode();
            whole.putArray("allOf").addObject().put("$ref", "#" + path);
            whole.set("components", closed.get("components"));
            return PublishedSchema.of(whole, SpecificationVersion.DRAFT_7, true);
        });
    }

    /* Forbids undeclared members: readers ignore them, but the document has to declare all of them. */
    private static void close(JsonNode node) {
        node.forEach(AsyncApi::close);
        if (node instanceof ObjectNode object
                && object.path("properties").isObject()
                && object.path("type").asText().equals("object")
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
    }
}
