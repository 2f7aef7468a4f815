package dev.strake.cli.importing;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.Dialect;
import dev.strake.serdes.text.ReadDocument;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Applies one kustomization: adds its objects to the resources, and transforms all of them. */
final class Kustomization {

    private static final Set<String> KNOWN = Set.of(
            "apiVersion",
            "kind",
            "metadata",
            "sortOptions",
            "resources",
            "bases",
            "components",
            "namespace",
            "namePrefix",
            "nameSuffix",
            "labels",
            "commonLabels",
            "commonAnnotations",
            "images",
            "replicas",
            "patches",
            "patchesStrategicMerge",
            "patchesJson6902",
            "configMapGenerator",
            "secretGenerator",
            "generatorOptions");
    private static final Set<String> KNOWN_OF_TARGETS = Set.of("group", "version", "kind", "name", "namespace");

    /** Builds the other kustomizations that this one names. */
    interface Others {

        /** Adds the objects of the kustomization in a folder to the resources, and transforms all of them. */
        void accumulate(Path folder, List<Resource> resources) throws IOException;
    }

    private final Path folder;
    private final ReadDocument read;
    private final MapValue tree;
    private final List<Resource> resources;
    private final Others others;
    private final Set<Untranslated> left;

    Kustomization(Path folder, ReadDocument read, List<Resource> resources, Others others, Set<Untranslated> left) {
        this.others = others;
        this.left = left;
        this.folder = folder;
        this.read = read;
        this.tree = read.value() instanceof MapValue map ? map : MapValue.EMPTY;
        this.resources = resources;
    }

    private void leave(String path, String what, String why) {
        left.add(new Untranslated(String.valueOf(read.locate(path)), what, why));
    }

    void build() throws IOException {
        for (String key : tree.keys()) {
            if (!KNOWN.contains(key)) {
                leave("." + key, key, "the import does not know this field");
            }
        }
        each("resources", this::resource);
        each("bases", this::resource);
        each("configMapGenerator", (entry, at) -> generate("ConfigMap", (MapValue) entry));
        each("secretGenerator", (entry, at) -> generate("Secret", (MapValue) entry));
        each("components", (entry, at) -> component(Kustomize.text(entry)));
        each("patchesStrategicMerge", (entry, at) -> patch(MapValue.EMPTY, Kustomize.text(entry)));
        each("patches", (entry, at) -> patch((MapValue) entry));
        if (tree.has("namespace")) {
            resources.forEach(each -> Transformers.namespace(each, tree.text("namespace")));
        }
        resources.forEach(each -> Transformers.rename(each, tree.text("namePrefix"), tree.text("nameSuffix")));
        each("labels", (entry, at) -> label((MapValue) entry));
        if (tree.has("commonLabels")) {
            resources.forEach(each -> Transformers.label(each, tree.map("commonLabels"), true, true));
        }
        if (tree.has("commonAnnotations")) {
            resources.forEach(each -> Transformers.annotate(each, tree.map("commonAnnotations")));
        }
        each("patchesJson6902", (entry, at) -> patch((MapValue) entry));
        each("replicas", (entry, at) -> scale((MapValue) entry));
        each("images", (entry, at) -> image((MapValue) entry));
    }

    /** What to do for one entry of a list. */
    private interface Work {

        void on(Value entry, String at) throws IOException, UntranslatableException;
    }

    private void each(String member, Work work) throws IOException {
        List<Value> entries = tree.items(member);
        for (int i = 0; i < entries.size(); i++) {
            String at = "." + member + "[" + i + "]";
            try {
                work.on(entries.get(i), at);
            } catch (UntranslatableException e) {
                leave(at, member, e.getMessage());
            } catch (ClassCastException e) {
                leave(at, member, "it does not have the form that Kustomize expects");
            }
        }
    }

    private void resource(Value entry, String at) throws IOException, UntranslatableException {
        String name = Kustomize.text(entry);
        Path path = folder.resolve(name).normalize();
        if (Files.isDirectory(path)) {
            List<Resource> below = new ArrayList<>();
            others.accumulate(path, below);
            below.forEach(each -> each.passUp(path));
            resources.addAll(below);
        } else if (Files.isRegularFile(path)) {
            resources.addAll(Manifests.objects(file(name), Dialect.KUSTOMIZE, left));
        } else {
            throw new UntranslatableException(
                    name.matches(".*(://|\\?ref=|^github\\.com/|^git@).*")
                            ? "remote resources are not fetched: clone it, and name its folder"
                            : "there is no such file or folder");
        }
    }

    /* As in Kustomize, a kustomization may name any folder, but only files below its own folder. */
    private Path file(String name) throws IOException, UntranslatableException {
        Path file = folder.resolve(name).normalize();
        if (!Files.isRegularFile(file)) {
            throw new UntranslatableException("there is no such file");
        }
        if (!file.toRealPath().startsWith(folder.toRealPath())) {
            throw new UntranslatableException("the file is outside of the folder of its kustomization");
        }
        return file;
    }

    private String content(String name) throws IOException, UntranslatableException {
        try {
            return Files.readString(file(name));
        } catch (CharacterCodingException e) {
            throw new UntranslatableException("a file is not UTF-8 text");
        }
    }

    private void generate(String kind, MapValue entry) throws IOException, UntranslatableException {
        MapValue global = tree.map("generatorOptions");
        MapValue made = Generators.generated(kind, entry, global, this::content);
        String behavior = entry.text("behavior");
        if (behavior.isEmpty() || behavior.equals("create")) {
            Resource resource =
                    new Resource(String.valueOf(read.location()), folder + "#" + kind + "/" + entry.text("name"), made);
            if (Generators.isHashed(entry, global)) {
                resource.hash();
            }
            resources.add(resource);
            return;
        }
        Resource old = resources.stream()
                .filter(each -> each.kind().equals(kind) && each.hadName(entry.text("name")))
                .findFirst()
                .orElseThrow(() -> new UntranslatableException("there is nothing that it could " + behavior));
        MapValue object = old.object();
        for (String member : new String[] {"labels", "annotations"}) {
            MapValue added = made.map("metadata").map(member);
            object = added.isEmpty() ? object : Fields.add(object, "metadata/" + member, true, added);
        }
        old.set(object.with(
                "data",
                behavior.equals("merge") ? object.map("data").updatedWith(made.map("data")) : made.map("data")));
    }

    private void component(String name) throws IOException, UntranslatableException {
        Path path = folder.resolve(name).normalize();
        if (!Files.isDirectory(path)) {
            throw new UntranslatableException("there is no such folder");
        }
        others.accumulate(path, resources);
    }

    private void label(MapValue entry) throws UntranslatableException {
        if (entry.has("fields")) {
            throw new UntranslatableException("labels with 'fields' are not supported");
        }
        boolean inSelectors = Bool.TRUE.equals(entry.get("includeSelectors"));
        boolean inTemplates = Bool.TRUE.equals(entry.get("includeTemplates"));
        resources.forEach(each -> Transformers.label(each, entry.map("pairs"), inTemplates, inSelectors));
    }

    private void scale(MapValue entry) throws UntranslatableException {
        long scaled = resources.stream()
                .filter(each -> Transformers.scale(each, entry))
                .count();
        if (scaled == 0) {
            throw new UntranslatableException("no object with this name has replicas");
        }
    }

    private void image(MapValue entry) throws UntranslatableException {
        if (entry.has("tagSuffix") || !entry.text("name").matches("[\\w./:-]+")) {
            throw new UntranslatableException("patterns in image names and tagSuffix are not supported");
        }
        resources.forEach(each -> Transformers.image(each, entry));
    }

    private void patch(MapValue entry) throws IOException, UntranslatableException {
        if (entry.has("options")) {
            throw new UntranslatableException("options of patches are not known");
        }
        for (String key : entry.map("target").keys()) {
            if (!KNOWN_OF_TARGETS.contains(key)) {
                throw new UntranslatableException("the field " + key + " of targets is not known");
            }
        }
        patch(entry.map("target"), entry.has("path") ? entry.text("path") : entry.text("patch"));
    }

    private void patch(MapValue target, String fileOrText) throws IOException, UntranslatableException {
        boolean isText = fileOrText.contains("\n") || fileOrText.matches("\\s*[\\[{-].*");
        byte[] text = isText ? fileOrText.getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(file(fileOrText));
        for (ReadDocument each : Manifests.trees(text, Dialect.KUSTOMIZE, String.valueOf(read.location()), left)) {
            List<Resource> targets = targets(target, each.value());
            if (targets.isEmpty()) {
                throw new UntranslatableException("no object is the target of the patch");
            }
            for (Resource resource : targets) {
                patch(resource, each.value());
            }
        }
    }

    private void patch(Resource resource, Value patch) throws UntranslatableException {
        MapValue object = resource.object();
        if (patch instanceof ListValue operations) {
            resource.set(Patch.operated(object, operations.items()));
            return;
        }
        MapValue merged = Patch.merged(object, (MapValue) patch);
        if (merged == null) {
            resources.remove(resource);
            return;
        }
        MapValue metadata = merged.map("metadata").without("namespace");
        for (String kept : new String[] {"name", "namespace"}) {
            Value value = object.map("metadata").get(kept);
            metadata = value == null ? metadata : metadata.with(kept, value);
        }
        resource.set(merged.with("kind", object.get("kind")).with("metadata", metadata));
    }

    private List<Resource> targets(MapValue target, Value patch) throws UntranslatableException {
        MapValue wanted = target;
        if (target.isEmpty() && patch instanceof MapValue object) {
            Resource like = new Resource("", "", object);
            wanted = MapValue.of("kind", like.kind())
                    .with("group", like.group())
                    .with("name", Pattern.quote(like.called().name()));
            if (object.map("metadata").has("namespace")) {
                wanted = wanted.with("namespace", object.map("metadata").get("namespace"));
            }
        }
        List<Resource> targets = new ArrayList<>();
        for (Resource each : resources) {
            if (isTarget(each, wanted)) {
                targets.add(each);
            }
        }
        return targets;
    }

    private boolean isTarget(Resource each, MapValue wanted) throws UntranslatableException {
        String version = each.object().text("apiVersion");
        try {
            return isWanted(wanted, "kind", each.kind())
                    && isWanted(wanted, "group", each.group())
                    && isWanted(wanted, "version", version.substring(version.indexOf('/') + 1))
                    && each.names().stream()
                            .anyMatch(called -> isWanted(wanted, "name", called.name())
                                    && (wanted.text("namespace").equals("default")
                                            ? called.namespace().isEmpty()
                                            : isWanted(wanted, "namespace", called.namespace())));
        } catch (PatternSyntaxException e) {
            throw new UntranslatableException("the target has a pattern that Java does not know");
        }
    }

    private static boolean isWanted(MapValue wanted, String key, String value) {
        return !wanted.has(key)
                || (wanted.text(key).isEmpty() && !key.equals("group"))
                || Pattern.matches(wanted.text(key), value);
    }
}
