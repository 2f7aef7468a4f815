package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.remote.object.ObjectIdentity;
import dev.strake.serdes.text.Dialect;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.PlainFile;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads files with Kubernetes objects. */
final class Manifests {

    private static final DocumentReader READER = new DocumentReader(Limits.DEFAULT).rememberingLines();

    private Manifests() {}

    /** Returns the trees of a file. Adds a file that is not valid YAML to {@code left}. */
    static List<ReadDocument> trees(Path file, Dialect dialect, Set<Untranslated> left) throws IOException {
        return trees(Files.readAllBytes(file), dialect, file.toString(), left);
    }

    static List<ReadDocument> trees(byte[] text, Dialect dialect, String source, Set<Untranslated> left) {
        try {
            return READER.readTrees(text, dialect, source);
        } catch (UnreadableTextException e) {
            left.add(new Untranslated(source, "the file", e.problem().describe()));
            return List.of();
        }
    }

    /** Returns the first tree of a file, parsed as Go does. A null of YAML if there is none. */
    static Value first(Path file, Set<Untranslated> left) throws IOException {
        try {
            return READER.readFirst(Files.readAllBytes(PlainFile.of(file)), Dialect.GO, file.toString())
                    .value();
        } catch (UnreadableTextException e) {
            left.add(new Untranslated(file.toString(), "the file", e.problem().describe()));
            return Null.NULL;
        }
    }

    /** Returns the objects of a file, in order. */
    static List<Resource> objects(Path file, Dialect dialect, Set<Untranslated> left) throws IOException {
        List<Resource> objects = new ArrayList<>();
        for (ReadDocument tree : trees(file, dialect, left)) {
            for (Value value : ObjectDocument.unfolded(tree.value())) {
                String where = String.valueOf(tree.location());
                if (isObject(value)) {
                    objects.add(new Resource(where, file + "#" + objects.size(), (MapValue) value));
                } else {
                    left.add(new Untranslated(where, "a document", "it is not a Kubernetes object with a name"));
                }
            }
        }
        return objects;
    }

    private static boolean isObject(Value value) {
        return value instanceof MapValue map
                && ObjectDocument.object(MapValue.of("data", map)).isPresent();
    }

    /** Returns the objects of all files of a folder, as a separate environment. */
    static Layer layer(Path folder, Set<Untranslated> left) throws IOException {
        List<Resource> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            Path root = folder.toRealPath();
            for (Path file : files.filter(Manifests::isManifest).sorted().toList()) {
                if (!Files.isRegularFile(file)) {
                    left.add(new Untranslated(file.toString(), "a file", "it is neither a file nor a folder"));
                } else if (!file.toRealPath().startsWith(root)) {
                    left.add(new Untranslated(file.toString(), "a file", "it is a link that leads out of the folder"));
                } else {
                    all.addAll(objects(file, Dialect.KUBECTL, left));
                }
            }
        }
        String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        return new Layer(name, List.of(), true, items(all, name, left));
    }

    private static boolean isManifest(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return !Files.isDirectory(file) && !name.startsWith(".") && name.matches(".*\\.(yaml|yml|json)");
    }

    /** Returns the documents of objects, without duplicates and without those that no API server accepts. */
    static List<Layer.Item> items(List<Resource> objects, String layer, Set<Untranslated> left) {
        return items(objects, layer, left, path -> null);
    }

    /** Returns the documents of objects that may build on objects of other layers. */
    static List<Layer.Item> items(
            List<Resource> objects, String layer, Set<Untranslated> left, Function<Path, Layer> layers) {
        List<Layer.Item> items = new ArrayList<>();
        Set<ObjectIdentity> there = new HashSet<>();
        for (Resource each : objects) {
            String what = each.kind() + " " + each.called().name();
            try {
                if (there.add(ObjectIdentity.of(each.object()))) {
                    Layer below = each.below() == null ? null : layers.apply(each.below());
                    items.add(new Layer.Item(
                            each.uid(), ObjectDocument.of(each.object(), layer), below, each.uidBelow()));
                } else {
                    left.add(new Untranslated(each.file, what, "another object has this name already"));
                }
            } catch (InvalidPatchException e) {
                left.add(new Untranslated(each.file, what, e.getMessage()));
            }
        }
        return items;
    }
}
