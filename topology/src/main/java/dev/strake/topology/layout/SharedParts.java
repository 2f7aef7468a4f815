package dev.strake.topology.layout;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * The parts that heads of one workspace have in common. Similar documents have equal schemas, layers, selectors and
 * sources. The heap holds each of them once, and a selector is parsed once. Not thread-safe.
 */
public final class SharedParts {

    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Value> selectors = new HashMap<>();
    private final Map<DocumentKey, DocumentKey> keys = new HashMap<>();

    /* Interned, because other workspaces have the same schemas and layers. */
    String text(String text) {
        return texts.computeIfAbsent(text, String::intern);
    }

    /** Returns an equal identity, built of the shared schema and layer. */
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
