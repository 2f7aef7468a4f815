package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.util.SortedMap;

/** What differs between two revisions: documents as published, and rendered ones. */
public record Differences(SortedMap<DocumentId, Difference> documents, SortedMap<DocumentKey, Difference> rendered) {

    /** How something differs. */
    public enum Difference {
        CREATED,
        MODIFIED,
        DELETED
    }

    public boolean isEmpty() {
        return documents.isEmpty() && rendered.isEmpty();
    }
}
