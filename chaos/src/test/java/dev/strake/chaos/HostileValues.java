package dev.strake.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Values that take far more than they look like: to unpack, to read, to render. Large ones are made once, as it is the
 * service that they shall exhaust.
 */
final class HostileValues {

    static final int MB = 1_000_000;

    /** Stands in data, headers, ids, patterns and questions, and may stand in no log. */
    static final String WORD = "pl4nted9f";

    private static final String POLICY = """
            {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
             data: {layerOrder: [site]}}
            """;

    /** Values that take few bytes, in the styles of YAML. */
    private static final List<String> MANY =
            List.of("1,", "[],", "'',", "{a: 1},", "!,", "é,", "&a x,", "  - 1\n", "  - a: 1\n");

    private final Map<Integer, byte[]> blanks = new HashMap<>();
    private final Map<Integer, byte[]> noises = new HashMap<>();

    /** A policy, and so many bytes of a comment that pack into next to nothing. */
    byte[] blanks(int megabytes) {
        return blanks.computeIfAbsent(megabytes, size -> {
            byte[] value = new byte[size * MB];
            Arrays.fill(value, (byte) ' ');
            return withPolicy(value);
        });
    }

    /** A policy, and so many bytes of a comment that no codec makes smaller than half. */
    byte[] noise(int megabytes) {
        return noises.computeIfAbsent(megabytes, size -> {
            byte[] noise = new byte[size * MB / 2];
            new Random(size).nextBytes(noise);
            return withPolicy(HexFormat.of().formatHex(noise).getBytes(UTF_8));
        });
    }

    private static byte[] withPolicy(byte[] value) {
        byte[] policy = (POLICY + "#" + WORD).getBytes(UTF_8);
        System.arraycopy(policy, 0, value, 0, policy.length);
        return value;
    }

    /** A policy and one document with some data. */
    static byte[] document(String name, String data) {
        return (POLICY + "---\n" + thing(name, data)).getBytes(UTF_8);
    }

    private static String thing(String name, String data) {
        return """
                {schema: hostile/Thing/v1, metadata: {schema: metadata/Document/v1, name: %s, labels: {%s: %s},
                 storagePolicy: cleartext, layeringDefinition: {layer: site}}, data: %s}
                """.formatted(name, WORD, WORD, data);
    }

    /** A schema with a pattern, and a text that it is looked for in. */
    static byte[] pattern(String pattern, String text) {
        return schema("properties: {a: {pattern: '" + pattern + "'}}", text);
    }

    /**
     * A schema that leads through so many definitions to a pattern, which takes much of a thread's stack wherever it is.
     *
     * @param reference how each definition refers to the next one, named {@code %s}
     */
    static byte[] deepPattern(int levels, String reference, String pattern) {
        StringBuilder definitions = new StringBuilder("properties: {a: {$ref: '#/definitions/l0'}}, definitions: {");
        for (int level = 0; level < levels; level++) {
            definitions.append("l%d: {%s}, ".formatted(level, reference.formatted("#/definitions/l" + (level + 1))));
        }
        return schema(definitions + "l" + levels + ": {pattern: '" + pattern + "'}}", "b");
    }

    private static byte[] schema(String body, String text) {
        return (POLICY + "---\n" + """
                        {schema: deckhand/DataSchema/v1, metadata: {schema: metadata/Control/v1, name: hostile/Thing/v1},
                         data: {type: object, %s}}
                        """.formatted(body) + "---\n" + thing("matched", "{a: '" + text + "'}"))
                .getBytes(UTF_8);
    }

    /** Each anchor is a list of ten times the one before. */
    static byte[] aliases(int levels) {
        StringBuilder data = new StringBuilder("{l0: &l0 [x, x, x, x, x, x, x, x, x, x]");
        for (int level = 1; level <= levels; level++) {
            data.append(", l").append(level).append(": &l").append(level).append(" [");
            data.append(("*l" + (level - 1) + ", ").repeat(10)).append(']');
        }
        return document("aliases", data.append('}').toString());
    }

    static byte[] deep(int levels) {
        return document("deep", "{a: " + "[".repeat(levels) + "]".repeat(levels) + "}");
    }

    /**
     * As many values as a document of nearly a mebibyte can have, or some more than that.
     *
     * @param form any number: of the value that is repeated
     */
    static byte[] wide(int edition, int form) {
        String value = MANY.get(form % MANY.size());
        String all = value.repeat(900_000 / value.length());
        if (!value.endsWith("\n")) {
            return document("wide", "{edition: " + edition + ", a: [" + all + "1]}");
        }
        return (POLICY + """
                ---
                schema: hostile/Thing/v1
                metadata: {schema: metadata/Document/v1, name: wide, layeringDefinition: {layer: site}, storagePolicy: cleartext}
                data:
                  edition: %d
                  a:
                """.formatted(edition) + all).getBytes(UTF_8);
    }

    /** A bucket of many documents, as JSON. */
    static byte[] many(int documents) {
        StringBuilder all = new StringBuilder("""
                [{"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},\
                "data":{"layerOrder":["site"]}}""");
        String text = "many ".repeat(30);
        for (int i = 0; i < documents; i++) {
            all.append("""
                    ,{"schema":"hostile/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"d-%d",\
                    "storagePolicy":"cleartext","layeringDefinition":{"layer":"site"}},"data":{"n":%d,"text":"%s"}}""".formatted(i, i, text));
        }
        return all.append(']').toString().getBytes(UTF_8);
    }
}
