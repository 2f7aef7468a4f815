package dev.strake.topology.layout;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * The parts that heads of one workspace have in common. Documents of one family have equal schemas, layers, selectors and sources.
 * The heap keeps each of them once, and a selector is parsed once. Not for concurrent use.
 */
public final class SharedParts {

    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Value> selectors = new HashMap<>();
    private final Map<DocumentKey, DocumentKey> keys = new HashMap<>();

    /* Interned, as other workspaces have the same schemas and layers. */
    String text(String text) {
        return texts.computeIfAbsent(text, String::intern);
    }

    /** An equal identity, made of the shared schema and layer. */
    DocumentId id(DocumentId id) {
        return new DocumentId(text(id.schema()), text(id.layer()), id.name());
    }

    /** The parsed selectors by their bytes. */
    Map<String, Value> selectors() {
        return selectors;
    }

    DocumentKey key(DocumentKey key) {
        DocumentKey before = keys.putIfAbsent(key, key);
        return before == null ? key : before;
    }
}
