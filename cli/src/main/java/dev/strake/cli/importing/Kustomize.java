package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.Dialect;
import dev.strake.serdes.text.ReadDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds kustomizations in the order of Kustomize. The result of each folder becomes a layer. Folders that no other
 * kustomization names are the environments.
 */
final class Kustomize {

    static final List<String> FILES = List.of("kustomization.yaml", "kustomization.yml", "Kustomization");
    private final Path root;
    private final Set<Untranslated> left;
    private final Map<Path, Layer> layers = new LinkedHashMap<>();
    private final Set<Path> named = new HashSet<>();
    private final Set<Path> open = new LinkedHashSet<>();

    private Kustomize(Path root, Set<Untranslated> left) {
        this.root = root;
        this.left = left;
    }

    /** Returns the environments below a folder; empty if there is no kustomization. */
    static List<Layer> environments(Path folder, Set<Untranslated> left) throws IOException {
        return new Kustomize(folder, left).environments();
    }

    private List<Layer> environments() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(root)) {
            all = files.filter(file -> FILES.contains(String.valueOf(file.getFileName())))
                    .map(file -> file.getParent().normalize())
                    .sorted()
                    .toList();
        }
        Map<Path, MapValue> read = new LinkedHashMap<>();
        for (Path folder : all) {
            MapValue kustomization = kustomization(folder).value() instanceof MapValue map ? map : MapValue.EMPTY;
            read.put(folder, kustomization);
            for (String member : new String[] {"resources", "bases", "components"}) {
                for (Value each : kustomization.items(member)) {
                    named.add(folder.resolve(text(each)).normalize());
                }
            }
        }
        List<Layer> environments = new ArrayList<>();
        for (Path folder : all) {
            if (!named.contains(folder) && !read.get(folder).text("kind").equals("Component")) {
                environments.add(layer(folder));
            }
        }
        return environments;
    }

    private Layer layer(Path folder) throws IOException {
        Layer known = layers.get(folder);
        if (known != null) {
            return known;
        }
        List<Resource> resources = new ArrayList<>();
        accumulate(folder, resources);
        for (Resource each : resources) {
            if (each.isHashed()) {
                each.set("name", each.called().name() + "-" + Generators.hash(each.object()));
            }
        }
        new NameReferences(resources, left).follow();
        resources.forEach(Resource::tidyMetadata);
        Map<Path, Layer> parents = new LinkedHashMap<>();
        for (Resource each : resources) {
            if (each.below() != null) {
                parents.put(each.below(), layer(each.below()));
            }
        }
        String name = name(folder);
        Layer layer = new Layer(
                name,
                List.copyOf(parents.values()),
                !named.contains(folder),
                Manifests.items(resources, name, left, parents::get));
        layers.put(folder, layer);
        return layer;
    }

    private String name(Path folder) {
        Path whole = folder.toAbsolutePath().normalize();
        String name = "";
        for (int i = whole.getNameCount() - 1; i >= 0; i--) {
            name = whole.getName(i) + (name.isEmpty() ? "" : "-" + name);
            String wanted = name;
            if (layers.values().stream().noneMatch(each -> each.name().equals(wanted))) {
                return name;
            }
        }
        return name + layers.size();
    }

    private ReadDocument kustomization(Path folder) throws IOException {
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (Files.isRegularFile(file)) {
                List<ReadDocument> trees = Manifests.trees(file, Dialect.KUBECTL, left);
                if (!trees.isEmpty()) {
                    return trees.get(0);
                }
            }
        }
        return Manifests.trees("{}".getBytes(StandardCharsets.UTF_8), Dialect.KUBECTL, folder.toString(), left)
                .get(0);
    }

    private void accumulate(Path folder, List<Resource> resources) throws IOException {
        if (!open.add(folder)) {
            left.add(new Untranslated(folder.toString(), "resources", "the folders name each other in a circle"));
            return;
        }
        new Kustomization(folder, kustomization(folder), resources, this::accumulate, left).build();
        open.remove(folder);
    }

    static String text(Value value) {
        return value instanceof Text text ? text.value() : "";
    }
}
