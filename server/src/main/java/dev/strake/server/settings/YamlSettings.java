package dev.strake.server.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.strake.server.settings.Source.Given;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads settings from a file of YAML. A name may be written whole or in steps, {@code strake.http.port: 8080} or
 * {@code strake: {http: {port: 8080}}}. Values are taken as they are written, as from a file of properties.
 */
final class YamlSettings {

    private static final YAMLFactory YAML = new YAMLFactory();

    private final Path file;
    private final JsonParser parser;
    private final Map<String, Given> given = new TreeMap<>();

    private YamlSettings(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * The settings of a file.
     *
     * @throws IOException if the file cannot be read
     * @throws InvalidSettingException if it is no mapping, or something in it is no value
     */
    static Map<String, Given> read(Path file) throws IOException {
        try (JsonParser parser = YAML.createParser(Files.newBufferedReader(file, StandardCharsets.UTF_8))) {
            return new YamlSettings(file, parser).document();
        } catch (JsonProcessingException e) {
            throw new InvalidSettingException(
                    "The file %s is no YAML (line %d): %s"
                            .formatted(
                                    file,
                                    e.getLocation() == null
                                            ? 1
                                            : e.getLocation().getLineNr(),
                                    e.getOriginalMessage().lines().findFirst().orElse("")),
                    e);
        }
    }

    private Map<String, Given> document() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            return given; // nothing but comments
        }
        if (first != JsonToken.START_OBJECT) {
            throw wrong("is no mapping of settings", line());
        }
        mapping("");
        if (parser.nextToken() != null) {
            throw wrong("has a second document", line());
        }
        return given;
    }

    private void mapping(String prefix) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int line = line();
            String name = prefix + parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT) {
                mapping(name + ".");
            } else if (!value.isScalarValue() || value == JsonToken.VALUE_NULL) {
                throw wrong("has no single value for " + name, line);
            } else if (given.put(name, new Given(parser.getText(), "file " + file + ", line " + line)) != null) {
                throw wrong("has " + name + " twice", line);
            }
        }
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private InvalidSettingException wrong(String what, int line) {
        return new InvalidSettingException(
                "The file %s %s (line %d). Write name: value, one for each setting.".formatted(file, what, line));
    }
}
