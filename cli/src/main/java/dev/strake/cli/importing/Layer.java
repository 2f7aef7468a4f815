package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The documents of one layer, as they have to render.
 *
 * @param parents the layers on which it builds
 * @param isEnvironment whether no layer builds on it, so that consumers get its documents
 */
record Layer(String name, List<Layer> parents, boolean isEnvironment, List<Item> items) {

    /**
     * A document.
     *
     * @param uid unique within its layer
     * @param document the whole document, without a parent
     * @param below the layer of its parent; null if it has none
     * @param uidBelow the uid of its parent
     */
    record Item(String uid, MapValue document, Layer below, String uidBelow) {

        Item parent() {
            return below == null
                    ? null
                    : below.items.stream()
                            .filter(each -> each.uid.equals(uidBelow))
                            .findFirst()
                            .orElse(null);
        }

        String name() {
            return document.map("metadata").text("name");
        }
    }

    /** Returns this layer and all its ancestors, the most general first. */
    Set<Layer> withParents() {
        Set<Layer> all = new LinkedHashSet<>();
        parents.forEach(parent -> all.addAll(parent.withParents()));
        all.add(this);
        return all;
    }
}
