package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of a chart and of its environments, merged as Helm does. Files with which several environments begin
 * become layers that these share.
 */
final class HelmValues {

    private static final String CHART = "chart";

    private final String name;
    private final MapValue chart;
    private final Set<Untranslated> left;
    private final Set<String> environments;
    private final Map<List<Path>, Layer> shared = new HashMap<>();

    private HelmValues(String name, MapValue chart, Set<String> environments, Set<Untranslated> left) {
        this.name = name;
        this.chart = chart;
        this.environments = environments;
        this.left = left;
    }

    /**
     * Returns the environments.
     *
     * @param name the name of the documents
     * @param chart the values of the chart itself
     * @param files those of each environment, in the order of {@code -f}
     */
    static List<Layer> environments(String name, Path chart, Map<String, List<Path>> files, Set<Untranslated> left)
            throws IOException {
        HelmValues values = new HelmValues(name, read(chart, left), files.keySet(), left);
        List<Layer> environments = new ArrayList<>();
        for (Map.Entry<String, List<Path>> each : files.entrySet()) {
            List<Path> chain = each.getValue();
            Layer parent = values.shared(chain.subList(0, chain.size() - 1));
            environments.add(values.layer(each.getKey(), parent, chain));
        }
        return environments;
    }

    private static MapValue read(Path file, Set<Untranslated> left) throws IOException {
        Value value = Manifests.first(file, left);
        if (!(value instanceof MapValue) && !(value instanceof Null)) {
            left.add(new Untranslated(file.toString(), "the file", "values are a mapping"));
        }
        return value instanceof MapValue map ? map : MapValue.EMPTY;
    }

    private Layer shared(List<Path> chain) throws IOException {
        Layer known = shared.get(chain);
        if (known != null) {
            return known;
        }
        Layer parent = chain.isEmpty() ? null : shared(chain.subList(0, chain.size() - 1));
        String wanted = CHART;
        if (!chain.isEmpty()) {
            wanted = chain.get(chain.size() - 1).getFileName().toString().replaceFirst("\\.[^.]*$", "");
        }
        while (isTaken(wanted)) {
            wanted = wanted + "-values";
        }
        Layer layer = layer(wanted, parent, chain);
        shared.put(chain, layer);
        return layer;
    }

    private boolean isTaken(String layer) {
        return environments.contains(layer)
                || shared.values().stream().anyMatch(each -> each.name().equals(layer));
    }

    private Layer layer(String layer, Layer parent, List<Path> chain) throws IOException {
        MapValue given = MapValue.EMPTY;
        for (Path file : chain) {
            given = given.mergedWith(read(file, left), effort -> {});
        }
        MapValue document = MapValue.of("schema", "helm/Values/v1")
                .with("metadata", MapValue.of("name", name))
                .with("data", coalesced(chart, given));
        return new Layer(
                layer,
                parent == null ? List.of() : List.of(parent),
                environments.contains(layer),
                List.of(new Layer.Item(name, document, parent, name)));
    }

    /* A null removes a value of the chart. Otherwise it stays, because it may remove a value of a subchart. */
    private static MapValue coalesced(MapValue under, MapValue over) {
        MapValue result = under;
        for (String key : over.keys()) {
            Value old = under.get(key);
            Value now = over.get(key);
            if (now instanceof Null && old != null) {
                result = result.without(key);
            } else {
                result = result.with(
                        key, old instanceof MapValue one && now instanceof MapValue two ? coalesced(one, two) : now);
            }
        }
        return result;
    }
}
