package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a document says about other documents, as its author wrote it. The graph decides which documents are meant.
 *
 * @param selector labels that the parent has to carry; empty without a parentSelector
 * @param sources the sources of its substitutions, without duplicates, in order of first mention
 * @param target the target of operations in its own data; null if the data has no target
 * @param layerOrder the layers of a layering policy, the most general one first; null for all other documents
 */
public record Claims(MapValue selector, List<DocumentKey> sources, Target target, List<String> layerOrder) {

    /** The claims of a document that refers to no other. */
    static final Claims NONE = new Claims(MapValue.EMPTY, List.of(), null, null);

    static Claims of(Document document) {
        Set<DocumentKey> sources = new LinkedHashSet<>();
        for (Substitution substitution : document.substitutions()) {
            sources.add(substitution.source().document());
        }
        Target target = document.kind() == Kind.OPERATIONS ? Target.of(document.data()) : null;
        return of(document.selector(), List.copyOf(sources), target, layerOrder(document));
    }

    /** Creates claims. All documents without claims share one object. */
    public static Claims of(MapValue selector, List<DocumentKey> sources, Target target, List<String> layerOrder) {
        return selector.isEmpty() && sources.isEmpty() && target == null && layerOrder == null
                ? NONE
                : new Claims(selector, sources, target, layerOrder);
    }

    private static List<String> layerOrder(Document document) {
        if (document.kind() != Kind.POLICY) {
            return null;
        }
        ListValue order = (ListValue) ((MapValue) document.data()).get("layerOrder");
        return order.items().stream().map(layer -> ((Text) layer).value()).toList();
    }
}
