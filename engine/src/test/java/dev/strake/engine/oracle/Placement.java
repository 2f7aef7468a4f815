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

/** Problems of a document that do not depend on data: its layer, its parent, its replacement, its name, a cycle. */
final class Placement {

    private static final String REPLACEMENT = ".metadata.replacement";

    private final Map<DocumentId, PlainDocument> documents;
    private final Links links;
    private final Map<DocumentId, Set<DocumentId>> reachable = new TreeMap<>();

    Placement(Map<DocumentId, PlainDocument> documents, Links links) {
        this.documents = documents;
        this.links = links;
    }

    /** The first problem with the place of a document, or null. */
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
        return null;
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

    /* The members are all documents that reach this one and that it reaches. */
    private Trouble cycle(DocumentId id) {
        if (!reachable(id).contains(id)) {
            return null;
        }
        List<DocumentId> members = reachable(id).stream()
                .filter(other -> reachable(other).contains(id))
                .toList();
        return Trouble.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, placeInCycle(id, members), members);
    }

    /* The first reference on a shortest path to the first member; the target if the document operates on a member. */
    private String placeInCycle(DocumentId id, List<DocumentId> members) {
        DocumentId first = members.get(0);
        int shortest = links.reads(id).stream()
                .filter(members::contains)
                .mapToInt(next -> steps(next, first, members))
                .min()
                .orElseThrow();
        DocumentId base = links.base(id);
        if (base != null && members.contains(base) && steps(base, first, members) == shortest) {
            return ".metadata.layeringDefinition.parentSelector";
        }
        List<PlainDocument.Substitution> substitutions = documents.get(id).substitutions();
        for (int i = 0; i < substitutions.size(); i++) {
            DocumentId source = links.source(substitutions.get(i).source());
            if (members.contains(source) && steps(source, first, members) == shortest) {
                return ".metadata.substitutions[" + i + "].src";
            }
        }
        if (members.stream().anyMatch(member -> links.operators(member).contains(id))) {
            return ".data.target";
        }
        boolean isOperated = links.operators(id).stream()
                .anyMatch(next -> members.contains(next) && steps(next, first, members) == shortest);
        return isOperated ? null : ".schema";
    }

    /* The length of the shortest path from one member of a cycle to another. */
    private int steps(DocumentId from, DocumentId to, List<DocumentId> members) {
        Set<DocumentId> reached = new TreeSet<>(Set.of(from));
        for (int steps = 0; ; steps++) {
            if (reached.contains(to)) {
                return steps;
            }
            for (DocumentId id : List.copyOf(reached)) {
                links.reads(id).stream().filter(members::contains).forEach(reached::add);
            }
        }
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
