package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A set of documents with other values in encrypted data. The values have the same kinds, so all variants render alike.
 * A rendered value that differs was made from secrets, and one that is equal was not. The test needs no marks for that.
 *
 * <p>Some values are kept, because others would change the evaluation: null, the empty text, texts that operations
 * search for, and all instructions.
 */
public final class OtherSecrets {

    private static final Set<String> LOOKED_FOR = Set.of("", "x", "y");

    private final boolean inFront;
    private final Predicate<PlainDocument> saysWhatToDo;
    private final Set<Value> kept = new HashSet<>();
    private final List<String> replaced = new ArrayList<>();
    private int number = 9_007_000;

    private OtherSecrets(boolean inFront, Predicate<PlainDocument> saysWhatToDo) {
        this.inFront = inFront;
        this.saysWhatToDo = saysWhatToDo;
    }

    /**
     * The same documents with other secrets.
     *
     * @param kept the secret values that were not replaced
     * @param replaced the original secret texts that were replaced
     */
    public record Variant(List<MapValue> trees, Set<Value> kept, List<String> replaced) {}

    /**
     * Replaces encrypted values.
     *
     * @param inFront whether texts are changed at their beginning, rather than at their end
     * @param rulers schemas of documents with instructions, in addition to operations and collections
     */
    public static Variant of(List<MapValue> trees, boolean inFront, Set<String> rulers) {
        Set<DocumentKey> instructing =
                instructing(trees.stream().map(PlainDocument::of).toList());
        OtherSecrets others = new OtherSecrets(
                inFront,
                document -> document.control()
                        || document.isCollection()
                        || rulers.contains(document.id().schema())
                        || instructing.contains(document.id().key()));
        List<MapValue> result = trees.stream().map(others::tree).toList();
        return new Variant(result, others.kept, others.replaced);
    }

    /* The sources of operations documents, except for values that operations write; and the sources of these sources. */
    private static Set<DocumentKey> instructing(List<PlainDocument> documents) {
        Set<DocumentKey> sources = new HashSet<>();
        int before = -1;
        while (before < sources.size()) {
            before = sources.size();
            for (PlainDocument document : documents) {
                document.substitutions().stream()
                        .filter(each -> sources.contains(document.id().key())
                                || (document.isOperations()
                                        && each.destinations().stream()
                                                .anyMatch(place -> !place.path().contains("].value"))))
                        .forEach(each -> sources.add(each.source()));
            }
        }
        return sources;
    }

    private MapValue tree(MapValue tree) {
        PlainDocument document = PlainDocument.of(tree);
        if (!document.isEncrypted() || !tree.has("data")) {
            return tree;
        }
        Value data = Secrets.forgotten(tree.get("data"));
        if (document.isOperations()) {
            return tree.with("data", operations(data));
        }
        return tree.with("data", saysWhatToDo.test(document) ? keep(data) : other(data));
    }

    /* Replaces only the values that operations write, except into the instructions of other documents. */
    private Value operations(Value data) {
        if (!(data instanceof MapValue map) || !(map.get("operations") instanceof ListValue list)) {
            return keep(data);
        }
        List<Value> operations = new ArrayList<>();
        for (Value each : list.items()) {
            boolean isWriting = each instanceof MapValue operation
                    && operation.get("path") instanceof Text path
                    && !path.value().matches("/(order|target|operations).*|")
                    && new Text("replace").equals(operation.get("type"))
                    && operation.has("value");
            if (isWriting) {
                MapValue operation = (MapValue) each;
                keep(operation.without("value"));
                operations.add(operation.with("value", other(operation.get("value"))));
            } else {
                operations.add(keep(each));
            }
        }
        keep(map.without("operations"));
        return map.with("operations", ListValue.of(operations));
    }

    private Value keep(Value value) {
        if (value instanceof MapValue map) {
            map.forEach((key, each) -> keep(each));
        } else if (value instanceof ListValue list) {
            list.items().forEach(this::keep);
        } else {
            kept.add(value);
        }
        return value;
    }

    private Value other(Value value) {
        if (value instanceof MapValue map) {
            Map<String, Value> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(key, other(each)));
            return MapValue.of(entries);
        }
        if (value instanceof ListValue list) {
            return ListValue.of(list.items().stream().map(this::other).toList());
        }
        if (value instanceof Null || (value instanceof Text text && LOOKED_FOR.contains(text.value()))) {
            return keep(value);
        }
        if (value instanceof Text text) {
            replaced.add(text.value());
            return new Text(inFront ? "\ue002" + text.value() : text.value() + "\ue001");
        }
        if (value instanceof Bool bool) {
            return Bool.of(!bool.value());
        }
        boolean isInteger = ((Num) value).literal().matches("-?[0-9]+");
        return Num.ofLiteral(number++ + (isInteger ? "" : ".5"));
    }
}
