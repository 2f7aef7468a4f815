package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.Limits;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.oracle.OtherSecrets;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Checks marks of secrets. The visible part of a workspace must not depend on secret values, and values that never
 * depend on them must be visible. The engine's marks are compared with full renderings by the oracle, which do not use
 * marks: one of the original documents, two with other secrets. Documents in trouble in a variant are not checked.
 */
final class ToldApart {

    private final NaiveRenderer plain;
    private final List<NaiveRenderer> others = new ArrayList<>();
    private final Set<Value> kept = new HashSet<>();
    private final List<String> replaced = new ArrayList<>();
    private final boolean takesPieces;
    private final boolean putsPieces;
    private final Map<String, Integer> counts;

    /** @param counts receives the number of checks */
    ToldApart(List<MapValue> trees, NaiveRenderer plain, Limits limits, Map<String, Integer> counts) {
        this.plain = plain;
        this.counts = counts;
        Set<String> rulers = new HashSet<>();
        StoryKind.ALL.forEach(kind -> trees.forEach(tree -> {
            String schema = ((Text) tree.get("schema")).value();
            if (kind.makes(schema)) {
                rulers.add(schema);
            }
        }));
        String written =
                trees.stream().map(tree -> Json.text(tree.get("metadata"))).reduce("", String::concat);
        this.takesPieces = written.matches("(?s).*\"src\":\\{[^}]*\"pattern\".*");
        this.putsPieces = written.matches("(?s).*\"dest\":.*\"pattern\".*");
        for (boolean inFront : new boolean[] {false, true}) {
            OtherSecrets.Variant variant = OtherSecrets.of(trees, inFront, rulers);
            if (!variant.trees().equals(trees)) {
                others.add(new NaiveRenderer(variant.trees(), limits));
            }
            kept.addAll(variant.kept());
            replaced.addAll(variant.replaced());
        }
        trees.forEach(tree -> keepClear(Document.ofValid(tree)));
    }

    /* An encrypted document is secret as a whole, including values from other documents. */
    private void keepClear(Document document) {
        Value data = plain.outcomes().get(document.id()).data();
        if (document.isEncrypted() && data != null) {
            forEachLeaf(data, Place.ROOT, (place, leaf) -> {
                boolean isSame = others.stream()
                        .map(other -> other.outcomes().get(document.id()).data())
                        .allMatch(other -> other == null || leaf.equals(place.in(other)));
                if (isSame) {
                    kept.add(leaf);
                }
            });
        }
    }

    private static void forEachLeaf(Value value, Place place, BiConsumer<Place, Value> action) {
        if (value instanceof MapValue map) {
            map.forEach((key, each) -> forEachLeaf(each, place.at(key), action));
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                forEachLeaf(list.get(i), place.at(i), action);
            }
        } else {
            action.accept(place, value);
        }
    }

    /** Checks the rendered data of a document, which others may read. */
    void check(DocumentId id, Value marked) {
        Value base = plain.outcomes().get(id).data();
        List<Value> different =
                others.stream().map(each -> each.outcomes().get(id).data()).toList();
        check(id.toString(), marked, base, different, true);
    }

    /** Checks the record of a derived document. */
    void checkDerived(DocumentKey key, Value marked) {
        Value base = plain.rendered().get(key).get("data");
        List<Value> different = new ArrayList<>();
        for (NaiveRenderer other : others) {
            MapValue record = other.rendered().get(key);
            different.add(record == null ? null : record.get("data"));
        }
        // If the owner itself has secrets, its derived documents are secret, with everything that it read.
        check(key.toString(), marked, base, different, !marked.isSecret());
    }

    private void check(String name, Value marked, Value base, List<Value> others, boolean isMinimal) {
        List<Value> all = others.stream().filter(each -> each != null).toList();
        all.forEach(other -> checkSound(name, Place.ROOT, marked, base, other));
        if (all.size() == 2 && isMinimal) {
            checkMinimal(name, Place.ROOT, marked, all);
        }
        counts.merge("told apart", all.isEmpty() ? 0 : 1, Integer::sum);
    }

    private static void checkSound(String name, Place place, Value marked, Value one, Value other) {
        if (marked.isSecret()) {
            return;
        }
        if (one instanceof MapValue a && other instanceof MapValue b && a.keys().equals(b.keys())) {
            MapValue map = (MapValue) marked;
            a.forEach((key, each) -> checkSound(name, place.at(key), map.get(key), each, b.get(key)));
        } else if (one instanceof ListValue a && other instanceof ListValue b && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                checkSound(name, place.at(i), ((ListValue) marked).get(i), a.get(i), b.get(i));
            }
        } else {
            assertThat(one.equals(other))
                    .as("%s shows %s, which is made of a secret", name, place)
                    .isTrue();
        }
    }

    private void checkMinimal(String name, Place place, Value marked, List<Value> others) {
        if (marked instanceof MapValue map && map.isClosed()) {
            return; // published as one mask, whether or not its values differ between the variants
        }
        if (marked instanceof MapValue map && !map.isEmpty()) {
            map.forEach((key, each) -> checkMinimal(name, place.at(key), each, others));
        } else if (marked instanceof ListValue list && list.size() > 0) {
            for (int i = 0; i < list.size(); i++) {
                checkMinimal(name, place.at(i), list.get(i), others);
            }
        } else if (marked.isSecret()) {
            boolean isMade = others.stream().anyMatch(other -> !marked.equals(place.in(other)));
            counts.merge(isMade ? "made of secrets" : "excused", 1, Integer::sum);
            assertThat(isMade || isExcused(marked))
                    .as("%s hides %s, which no secret reached", name, place)
                    .isTrue();
        }
    }

    private static String written(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        return value instanceof Num num
                ? num.literal()
                : value instanceof Bool bool ? bool.value() ? "True" : "False" : "None";
    }

    /*
     * Secret values that are equal in the variants: a container, a kept value or a character of it, a part of a text
     * matched by a pattern, a text into which a kept value was inserted, or a kept text into which another one was.
     */
    private boolean isExcused(Value value) {
        if (!(value instanceof Text text)) {
            return value instanceof MapValue
                    || value instanceof ListValue
                    || value instanceof Null
                    || kept.contains(value);
        }
        boolean isPicked = takesPieces && replaced.stream().anyMatch(whole -> whole.contains(text.value()));
        boolean isPut = putsPieces
                && (takesPieces
                        || text.value().matches("(?s).*(\\{}|\\[]).*")
                        || kept.stream()
                                .anyMatch(each ->
                                        each instanceof Text || text.value().contains(written(each))));
        boolean isCharacter = text.value().codePointCount(0, text.value().length()) == 1
                && kept.stream().anyMatch(each -> written(each).contains(text.value()));
        return kept.contains(text) || isCharacter || isPicked || isPut || replaced.isEmpty();
    }
}
