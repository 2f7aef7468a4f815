package dev.strake.cli.importing;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Generates the ConfigMaps and Secrets of a kustomization from texts and files, and the hashes in their names. */
final class Generators {

    private static final Set<String> KNOWN =
            Set.of("name", "namespace", "behavior", "literals", "files", "envs", "env", "options", "type");
    private static final Set<String> KNOWN_OPTIONS =
            Set.of("labels", "annotations", "disableNameSuffixHash", "immutable");
    private static final int HASH = 10;

    private Generators() {}

    /** Reads a file of the kustomization as text. */
    interface Files {

        String read(String name) throws IOException, UntranslatableException;
    }

    /**
     * Generates the object of an entry.
     *
     * @param global options of all generators
     */
    static MapValue generated(String kind, MapValue entry, MapValue global, Files files)
            throws IOException, UntranslatableException {
        MapValue options = global.mergedWith(entry.map("options"), effort -> {});
        known(entry, KNOWN);
        known(options, KNOWN_OPTIONS);
        MapValue data = data(entry, files);
        MapValue object = MapValue.of("apiVersion", "v1").with("kind", kind);
        MapValue metadata = MapValue.of("name", entry.text("name"));
        for (String key : new String[] {"namespace", "labels", "annotations"}) {
            Value value = key.equals("namespace") ? entry.get(key) : options.get(key);
            metadata = value == null ? metadata : metadata.with(key, value);
        }
        object = object.with("metadata", metadata);
        if (kind.equals("Secret")) {
            data = data.withEach((key, value) -> new Text(
                    Base64.getEncoder().encodeToString(((Text) value).value().getBytes(StandardCharsets.UTF_8))));
            object = object.with("type", entry.has("type") ? entry.get("type") : new Text("Opaque"));
        }
        object = data.isEmpty() ? object : object.with("data", data);
        return options.get("immutable") instanceof Bool immutable && immutable.value()
                ? object.with("immutable", Bool.TRUE)
                : object;
    }

    static boolean isHashed(MapValue entry, MapValue global) {
        return !Bool.TRUE.equals(
                global.mergedWith(entry.map("options"), effort -> {}).get("disableNameSuffixHash"));
    }

    private static void known(MapValue map, Set<String> known) throws UntranslatableException {
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                throw new UntranslatableException("the field " + key + " is not known");
            }
        }
    }

    private static MapValue data(MapValue entry, Files files) throws IOException, UntranslatableException {
        MapValue data = MapValue.EMPTY;
        for (Value literal : entry.items("literals")) {
            String text = ((Text) literal).value();
            String value = text.substring(text.indexOf('=') + 1);
            boolean isQuoted = value.length() > 1
                    && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                    && value.charAt(value.length() - 1) == value.charAt(0);
            data = with(data, text, isQuoted ? value.substring(1, value.length() - 1) : value);
        }
        for (Value file : entry.items("files")) {
            String text = ((Text) file).value();
            String path = text.substring(text.indexOf('=') + 1);
            String key = text.contains("=") ? text : path.substring(path.lastIndexOf('/') + 1) + "=";
            data = with(data, key, files.read(path));
        }
        for (String member : new String[] {"envs", "env"}) {
            Iterable<Value> names = entry.get(member) instanceof Text one ? List.of(one) : entry.items(member);
            for (Value file : names) {
                for (String line : files.read(((Text) file).value()).lines().toList()) {
                    if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                        data = with(data, line.stripLeading(), line.substring(line.indexOf('=') + 1));
                    }
                }
            }
        }
        return data;
    }

    private static MapValue with(MapValue data, String entry, String value) throws UntranslatableException {
        int end = entry.indexOf('=');
        if (end < 1) {
            throw new UntranslatableException("an entry has no '=', so its value would come from the environment");
        }
        return data.with(entry.substring(0, end), new Text(value));
    }

    /** Returns the hash of the content, which Kustomize appends to the name. */
    static String hash(MapValue object) {
        boolean isSecret = object.text("kind").equals("Secret");
        MapValue hashed = MapValue.of("kind", object.get("kind"))
                .with("name", "") // as in Kustomize: the name is not part of the hash
                .with("data", object.has("data") ? object.get("data") : new Text(""));
        hashed = isSecret ? hashed.with("type", object.get("type")) : hashed;
        String json = new String(JsonBytes.sorted(hashed), StandardCharsets.UTF_8)
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
        return Hasher.hex(json)
                .substring(0, HASH)
                .replace('0', 'g')
                .replace('1', 'h')
                .replace('3', 'k')
                .replace('a', 'm')
                .replace('e', 't');
    }
}
