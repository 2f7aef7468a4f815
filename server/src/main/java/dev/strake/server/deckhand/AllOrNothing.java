package dev.strake.server.deckhand;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.documents.SchemaViolation;
import dev.strake.server.state.OpenRevision;
import dev.strake.topology.layout.DocumentsLayout.Entry;
import dev.strake.topology.query.RenderedWhole;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The rendered documents of a revision, all or none, because consumers deploy what they get. */
final class AllOrNothing {

    /** The maximum number of problems in a response. */
    private static final int MOST_PROBLEMS = 10_000;

    /** The size limit for the diagnostics of a response; further problems have only hints. */
    private static final long MOST_BYTES = 1 << 20;

    private final RenderedWhole whole;

    private AllOrNothing(RenderedWhole whole) {
        this.whole = whole;
    }

    /**
     * Opens the rendered documents of a revision.
     *
     * @throws dev.strake.server.http.RefusedException if a document does not render; lists all problems
     */
    static AllOrNothing of(Asked asked, OpenRevision open) {
        List<Problem> problems = asked.state().problems(asked.workspace(), open.number(), MOST_PROBLEMS + 1);
        if (problems.size() > MOST_PROBLEMS) {
            List<Problem> some = new ArrayList<>(problems.subList(0, MOST_PROBLEMS));
            some.add(Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    "there are more problems than the %,d before".formatted(MOST_PROBLEMS),
                    "list them all: GET /workspaces/%s/problems".formatted(asked.workspace())));
            problems = some;
        }
        if (!problems.isEmpty()) {
            throw Failures.ofRendering(problems, diagnostics(asked, open, problems));
        }
        return new AllOrNothing(asked.state().whole(asked.workspace(), open.number(), open.derived()));
    }

    /* Diagnostics for violations of data schemas. Schemas may be large, and violations many. */
    private static Map<Problem, MapValue> diagnostics(Asked asked, OpenRevision open, List<Problem> problems) {
        IdentityHashMap<Problem, MapValue> diagnostics = new IdentityHashMap<>();
        long bytes = 0;
        for (Problem problem : problems) {
            Optional<DocumentId> schema = problem.related().stream()
                    .filter(each -> each.schema().equals(Kind.DATA_SCHEMA))
                    .findFirst();
            if (problem.code() != ProblemCode.INVALID_DOCUMENT_FORMAT || schema.isEmpty() || bytes > MOST_BYTES) {
                continue;
            }
            Optional<MapValue> diagnostic = document(asked, open, problem.document())
                    .flatMap(document -> document(asked, open, schema.get())
                            .map(governor -> SchemaViolation.diagnostic(problem, document, governor)));
            bytes += diagnostic.map(MapValue::weight).orElse(0L);
            diagnostic.ifPresent(each -> diagnostics.put(problem, each));
        }
        return diagnostics;
    }

    private static Optional<Document> document(Asked asked, OpenRevision open, DocumentId id) {
        return asked.state().entry(asked.workspace(), id, open.number()).map(Entry::document);
    }

    /**
     * Reads documents one by one.
     *
     * @param wanted selects documents
     * @param reader called with the content, and the published document that it is or is derived from
     * @throws dev.strake.server.http.RefusedException if a decryption key is missing
     */
    void read(Predicate<DocumentId> wanted, BiConsumer<Entry, MapValue> reader) {
        Map<DocumentId, Problem> locked = new LinkedHashMap<>();
        try (Stream<RenderedWhole.Item> all = whole.documents(wanted)) {
            all.forEach(item -> {
                try {
                    reader.accept(item.published(), item.content().get());
                } catch (LockedException e) {
                    locked.putIfAbsent(e.problem().document(), e.problem());
                }
            });
        }
        if (!locked.isEmpty()) {
            throw Failures.of(List.copyOf(locked.values()));
        }
    }
}
