package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Documents of one layer, as they are to render.
 *
 * @param parents the layers that it builds on
 * @param isEnvironment whether nothing builds on it, so its documents are what consumers get
 */
record Layer(String name, List<Layer> parents, boolean isEnvironment, List<Item> items) {

    /**
     * A document.
     *
     * @param uid tells it apart in its layer
     * @param document as a whole, without a parent
     * @param below the layer of its parent; null if it has none
     * @param uidBelow the parent in that layer
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

    /** This layer and all that it builds on, the most general first. */
    Set<Layer> withParents() {
        Set<Layer> all = new LinkedHashSet<>();
        parents.forEach(parent -> all.addAll(parent.withParents()));
        all.add(this);
        return all;
    }
}
