package dev.strake.cli.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** A JSON Schema that somebody else published, or that a document of ours contains. */
public record PublishedSchema(Schema schema) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The schema in a test resource. */
    public static PublishedSchema of(String resource, SpecificationVersion version) throws IOException {
        try (InputStream file = PublishedSchema.class.getResourceAsStream(resource);
                InputStream json = resource.endsWith(".gz") ? new GZIPInputStream(file) : file) {
            JsonNode schema = JSON.readTree(json);
            // Of draft 4: it means nothing in later ones, and is refused there. A property of that name is an object.
            schema.findParents("id").stream()
                    .filter(parent -> parent.get("id").isTextual())
                    .forEach(parent -> ((ObjectNode) parent).remove("id"));
            return of(schema, version, false);
        }
    }

    /**
     * The schema that is given; nothing that it refers to is fetched.
     *
     * @param formats whether formats count; "duration" of a Compose file is not the one of JSON Schema
     */
    static PublishedSchema of(JsonNode schema, SpecificationVersion version, boolean formats) {
        SchemaRegistryConfig config = SchemaRegistryConfig.builder()
                .formatAssertionsEnabled(formats)
                .preloadSchema(false)
                .build();
        SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
                version,
                builder -> builder.schemaRegistryConfig(config)
                        .schemaLoader(loader -> loader.fetchRemoteResources(false)));
        return new PublishedSchema(registry.getSchema(schema));
    }

    /** What of it the document breaks; empty if nothing. */
    public List<String> violations(JsonNode document) {
        return schema.validate(document).stream().map(Error::toString).toList();
    }
}
