package dev.strake.cli.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Project files outside of the modules. */
public final class DeployedFiles {

    /** The project root. Tests run in the directory of their module. */
    public static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    public static final Path DEPLOY = PROJECT.resolve("deploy");

    private static final ObjectMapper JSON = new ObjectMapper();

    private DeployedFiles() {}

    /** The non-empty documents of a YAML file. */
    public static List<JsonNode> yaml(Path file) throws IOException {
        return yaml(Files.readString(file));
    }

    public static List<JsonNode> yaml(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<JsonNode> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
            if (document != null) {
                documents.add(JSON.valueToTree(document));
            }
        }
        return documents;
    }

    /** The only document of a YAML file. */
    public static JsonNode document(Path file) throws IOException {
        List<JsonNode> documents = yaml(file);
        if (documents.size() != 1) {
            throw new IllegalArgumentException(file + " has " + documents.size() + " documents");
        }
        return documents.get(0);
    }

    /** All files below a directory with this suffix, sorted. */
    public static List<Path> below(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }
}
