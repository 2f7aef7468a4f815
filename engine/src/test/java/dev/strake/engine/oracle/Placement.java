package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What can be wrong with a document before anybody looks at data: its layer, its parent, whom it replaces, its name, a cycle. */
final class Placement {

    private static final String REPLACEMENT = ".metadata.replacement";

    private final Map<DocumentId, PlainDocument> documents;
    private final Links links;
    private final Map<DocumentId, Set<DocumentId>> reachable = new TreeMap<>();

    Placement(Map<DocumentId, PlainDocument> documents, Links links) {
        this.documents = documents;
        this.links = links;
    }

    /** The first thing that is wrong with the place of a document, or null. */
    Trouble of(DocumentId id) {
        Trouble trouble = layer(id);
        trouble = trouble == null ? links.parentTrouble(id) : trouble;
        if (!documents.get(id).control()) {
            trouble = trouble == null ? replacement(id) : trouble;
        }
        trouble = trouble == null ? identity(id) : trouble;
        return trouble == null ? cycle(id) : trouble;
    }

    private Trouble layer(DocumentId id) {
        boolean known =
                id.layer().isEmpty() || links.layers() == null || links.layers().contains(id.layer());
        return known ? null : Trouble.of(ProblemCode.INVALID_DOCUMENT_LAYER, ".metadata.layeringDefinition.layer");
    }

    private Trouble replacement(DocumentId id) {
        DocumentId parent = links.parent(id);
        if (!documents.get(id).replacement()) {
            return parent != null && parent.name().equals(id.name()) ? replacement(List.of(parent)) : null;
        }
        if (parent == null) {
            return replacement(List.of());
        }
        boolean replacesReplacement =
                documents.get(parent).replacement() && !documents.get(parent).isAbstract();
        if (!parent.key().equals(id.key()) || replacesReplacement) {
            return replacement(List.of(parent));
        }
        List<DocumentId> rivals = links.replacements(parent);
        return rivals.size() > 1 ? replacement(rivals) : null;
    }

    private static Trouble replacement(List<DocumentId> related) {
        return Trouble.of(ProblemCode.INVALID_DOCUMENT_REPLACEMENT, REPLACEMENT, related);
    }

    private Trouble identity(DocumentId id) {
        List<DocumentId> originals =
                links.withKey(id.key()).stream().filter(this::isOriginal).toList();
        if (originals.size() > 1 && isOriginal(id)) {
            return replacement(originals);
        }
        List<DocumentId> inForce =
                links.withKey(id.key()).stream().filter(links::isInForce).toList();
        return inForce.size() > 1 && inForce.contains(id)
                ? Trouble.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, null, inForce)
                : null;
    }

    private boolean isOriginal(DocumentId id) {
        return !documents.get(id).control() && !documents.get(id).replacement();
    }

    /* All that lead to the document, and that it leads to. */
    private Trouble cycle(DocumentId id) {
        if (!reachable(id).contains(id)) {
            return null;
        }
        List<DocumentId> members = reachable(id).stream()
                .filter(other -> reachable(other).contains(id))
                .toList();
        return Trouble.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, null, members);
    }

    private Set<DocumentId> reachable(DocumentId id) {
        Set<DocumentId> known = reachable.get(id);
        if (known != null) {
            return known;
        }
        Set<DocumentId> result = new TreeSet<>();
        Deque<DocumentId> open = new ArrayDeque<>(List.of(id));
        while (!open.isEmpty()) {
            for (DocumentId next : links.reads(open.pop())) {
                if (result.add(next)) {
                    open.push(next);
                }
            }
        }
        reachable.put(id, result);
        return result;
    }
}
