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

/** A JSON Schema from another project or from a document of Strake. */
public record PublishedSchema(Schema schema) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads the schema from a test resource. */
    public static PublishedSchema of(String resource, SpecificationVersion version) throws IOException {
        try (InputStream file = PublishedSchema.class.getResourceAsStream(resource);
                InputStream json = resource.endsWith(".gz") ? new GZIPInputStream(file) : file) {
            JsonNode schema = JSON.readTree(json);
            // Later drafts reject the keyword id of draft 4. The value of a property named id is an object.
            schema.findParents("id").stream()
                    .filter(parent -> parent.get("id").isTextual())
                    .forEach(parent -> ((ObjectNode) parent).remove("id"));
            return of(schema, version, false);
        }
    }

    /**
     * Uses the given schema; references are not fetched.
     *
     * @param formats whether to validate formats; the "duration" of Compose files differs from that of JSON Schema
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

    /** Returns the violations in the document. */
    public List<String> violations(JsonNode document) {
        return schema.validate(document).stream().map(Error::toString).toList();
    }
}
