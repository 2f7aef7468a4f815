package dev.strake.cli.local;

import dev.strake.engine.document.Document;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * The site {@code airsloop} of OpenStack Airship's "treasuremap": the published definition of a real telecom cloud. The
 * README next to the resource states its origin and licence.
 */
public final class BundledSite {

    public static final String NAME = "airsloop";

    private static final String RESOURCE = "airsloop/documents.jsonl.gz";

    /** The image versions of all components, at the global layer. A typical document for operators to edit. */
    private static final String CHANGED = "software-versions";

    private static final String[] CHANGED_PATH = {"images", "ceph", "ceph-provisioners", "ceph_config_helper"};

    private BundledSite() {}

    /** The documents as they were published. */
    public static List<Document> documents() {
        return files().values().stream().flatMap(List::stream).toList();
    }

    /**
     * Writes the documents to files of their original names.
     *
     * @throws FileAlreadyExistsException if one of the files exists; then nothing was written
     */
    static void write(Path folder) throws IOException {
        Map<String, List<Document>> files = files();
        for (String name : files.keySet()) {
            if (Files.exists(folder.resolve(name))) {
                throw new FileAlreadyExistsException(
                        folder.resolve(name).toString(), null, "it exists already, so nothing was written");
            }
        }
        for (Map.Entry<String, List<Document>> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(path, StandardCharsets.UTF_8))) {
                file.getValue().forEach(document -> YamlOutput.print(out, document.tree()));
                if (out.checkError()) {
                    throw new IOException(path + " cannot be written");
                }
            }
        }
    }

    /* Returns the documents of each file, by its path. */
    private static Map<String, List<Document>> files() {
        Map<String, List<Document>> files = new LinkedHashMap<>();
        try (InputStream resource = BundledSite.class.getResourceAsStream(RESOURCE);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                MapValue entry = (MapValue) JsonReader.read(line);
                files.computeIfAbsent(((Text) entry.get("file")).value(), file -> new ArrayList<>())
                        .add(Document.ofValid((MapValue) entry.get("document")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the bundled site cannot be read", e);
        }
        return files;
    }

    /** Returns the global document of image versions, with another version of one image. */
    public static Document withImage(List<Document> documents, String version) {
        MapValue tree = documents.stream()
                .filter(document -> document.id().name().equals(CHANGED))
                .findFirst()
                .orElseThrow()
                .tree();
        MapValue data = (MapValue) tree.get("data");
        return Document.ofValid(tree.with("data", withVersion(data, 0, version)));
    }

    /** The path that {@link #withImage} changes. */
    static String changedPath() {
        return "." + String.join(".", CHANGED_PATH);
    }

    private static Value withVersion(Value value, int depth, String version) {
        if (depth == CHANGED_PATH.length) {
            String image = ((Text) value).value();
            return new Text(image.substring(0, image.lastIndexOf(':') + 1) + version);
        }
        MapValue map = (MapValue) value;
        String key = CHANGED_PATH[depth];
        return map.with(key, withVersion(map.get(key), depth + 1, version));
    }
}
