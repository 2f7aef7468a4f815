package dev.strake.engine.property;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Shrinks a story that violates a property: fewer steps, fewer documents, less data in each of them. */
final class Shrinking {

    private final Predicate<List<Change>> breaks;
    private List<Change> shortest;

    /**
     * @param breaks whether a story violates the property
     */
    Shrinking(List<Change> told, Predicate<List<Change>> breaks) {
        this.breaks = breaks;
        this.shortest = new ArrayList<>(told);
    }

    /* Removes large parts, single steps, documents and parts of documents, until nothing more can be removed. */
    List<Change> shortest() {
        long before;
        do {
            before = size();
            leaveOutSteps();
            leaveOutDocuments();
            simplifyDocuments();
        } while (size() < before);
        return shortest;
    }

    private long size() {
        return shortest.stream()
                .mapToLong(change -> 1 + change.toString().length())
                .sum();
    }

    private boolean take(List<Change> candidate) {
        boolean taken = breaks.test(candidate);
        shortest = taken ? candidate : shortest;
        return taken;
    }

    private void leaveOutSteps() {
        for (int part = Math.max(1, shortest.size() / 2); part > 0; part /= 2) {
            for (int from = shortest.size() - part; from >= 0; from = Math.min(from - part, shortest.size() - part)) {
                List<Change> candidate = new ArrayList<>(shortest);
                candidate.subList(from, from + part).clear();
                take(candidate);
            }
        }
    }

    private void leaveOutDocuments() {
        for (int i = 0; i < shortest.size(); i++) {
            for (int j = shortest.get(i).documents().size() - 1; j >= 0; j--) {
                takeInstead(i, shortest.get(i).without(j));
            }
        }
    }

    private void simplifyDocuments() {
        for (int i = 0; i < shortest.size(); i++) {
            for (int j = 0; j < shortest.get(i).documents().size(); j++) {
                boolean simpler;
                do {
                    simpler = false;
                    for (MapValue each : simpler(shortest.get(i).documents().get(j))) {
                        if (isDocument(each)
                                && each.weight()
                                        < shortest.get(i).documents().get(j).weight()) {
                            simpler = simpler || takeInstead(i, shortest.get(i).with(j, each));
                        }
                    }
                } while (simpler);
            }
        }
    }

    private boolean takeInstead(int i, Change change) {
        List<Change> candidate = new ArrayList<>(shortest);
        candidate.set(i, change);
        return take(candidate);
    }

    private static boolean isDocument(MapValue tree) {
        try {
            Document.of(tree);
            return true;
        } catch (DocumentFormatException e) {
            return false;
        }
    }

    /* The same document without one entry or item near the root. Later checks find missing required parts. */
    private static List<MapValue> simpler(MapValue document) {
        List<MapValue> result = new ArrayList<>();
        if (document.get("metadata") instanceof MapValue metadata) {
            for (Value each : smaller(metadata, 3)) {
                result.add(document.with("metadata", each));
            }
            if (metadata.get("layeringDefinition") instanceof MapValue layering) {
                MapValue orphan = layering.without("parentSelector").without("actions");
                result.add(document.with("metadata", metadata.with("layeringDefinition", orphan)));
            }
            for (Value each : smaller(document.has("data") ? document.get("data") : MapValue.EMPTY, 2)) {
                result.add(document.with("data", each));
            }
        }
        return result;
    }

    private static List<Value> smaller(Value value, int depth) {
        List<Value> result = new ArrayList<>();
        if (value instanceof MapValue map) {
            for (String key : map.keys()) {
                result.add(map.without(key));
                if (depth > 1) {
                    smaller(map.get(key), depth - 1).forEach(each -> result.add(map.with(key, each)));
                }
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                result.add(list.without(i));
            }
        }
        return result;
    }
}
