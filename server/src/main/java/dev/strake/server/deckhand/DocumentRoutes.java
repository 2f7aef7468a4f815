package dev.strake.server.deckhand;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.deckhand.answers.DocumentView;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.deckhand.documents.AnswerSize;
import dev.strake.server.deckhand.documents.DocumentFilter;
import dev.strake.server.deckhand.documents.DocumentOrder;
import dev.strake.server.deckhand.documents.DocumentOrder.Created;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.Disclosure;
import dev.strake.server.state.OpenRevision;
import dev.strake.topology.layout.DocumentsLayout.Entry;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The documents of a revision:
 *
 * <pre>
 *  GET  /revisions/{revision}/documents            as published by their authors
 *  GET  /revisions/{revision}/rendered-documents   all rendered documents, or the reasons why some do not render
 * </pre>
 *
 * <p>{@link DocumentFilter} and {@link DocumentOrder} define the parameters. Validation policies are omitted.
 *
 * <p>Airship deploys what it gets, and none of its clients requests clear text. So rendered documents have secrets in
 * clear text unless the client requests masks ({@code cleartext-secrets=false}). A client without permission for
 * secrets that does not request masks is rejected. Published documents have masks by default.
 */
record DocumentRoutes(Asking asking) {

    List<Route> questions() {
        List<String> parameters = Stream.of(
                        DocumentFilter.PARAMETERS, DocumentOrder.PARAMETERS, List.of(Disclosure.PARAMETER))
                .flatMap(List::stream)
                .toList();
        return List.of(
                asking.get("/revisions/{revision}/documents", parameters, DocumentRoutes::published),
                asking.get("/revisions/{revision}/rendered-documents", parameters, DocumentRoutes::rendered));
    }

    private static Response published(Asked asked) {
        DocumentFilter filter = DocumentFilter.ofPublished(asked.request()::parameters);
        Found found = new Found(asked, filter, isCleartextWanted(asked).orElse(false));
        try (OpenRevision open = asked.open(revision(asked));
                Stream<Read<Entry>> all = open.stored().documents(null, filter::mayBe)) {
            all.forEach(read -> found.add(read.entry()));
        }
        return found.answer();
    }

    private static Response rendered(Asked asked) {
        DocumentFilter filter = DocumentFilter.ofRendered(asked.request()::parameters);
        Optional<Boolean> isWanted = isCleartextWanted(asked);
        Found found =
                new Found(asked, filter, isWanted.orElse(Disclosure.isAllowed(asked.request(), asked.workspace())));
        try (OpenRevision open = asked.open(revision(asked))) {
            AllOrNothing.of(asked, open).read(filter::mayBe, found::add);
        }
        if (isWanted.isEmpty() && found.hasSecrets && !found.isCleartext) {
            throw Disclosure.refused(asked.request(), asked.workspace());
        }
        return found.answer();
    }

    /* For a missing revision, Deckhand uses another error name here. */
    private static long revision(Asked asked) {
        String text = asked.request().path("revision");
        long number = asked.find(text).orElse(0);
        if (number == 0) {
            throw new RefusedException(
                    404, "HTTPNotFound", "The requested revision=%s was not found".formatted(Problem.cut(text, 40)));
        }
        return number;
    }

    /** Empty if the parameter is absent. */
    private static Optional<Boolean> isCleartextWanted(Asked asked) {
        return asked.request().parameter(Disclosure.PARAMETER).map(text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new RefusedException(
                        400,
                        "HTTPInvalidParam",
                        "The \"%s\" parameter is invalid. The value must be \"true\" or \"false\"."
                                .formatted(Disclosure.PARAMETER));
        });
    }

    /** The documents of a response. */
    private static final class Found {

        private final Asked asked;
        private final long start;
        private final DocumentFilter filter;
        private final DocumentOrder order;
        private final boolean isCleartext;
        private final Redaction redaction;
        private final AnswerSize size = new AnswerSize();
        private final List<Created> documents = new ArrayList<>();
        private final List<Problem> locked = new ArrayList<>();
        private boolean hasSecrets;

        Found(Asked asked, DocumentFilter filter, boolean isCleartext) {
            this.asked = asked;
            this.start = asked.start();
            this.filter = filter;
            this.order = new DocumentOrder(asked.request()::parameters);
            this.isCleartext = isCleartext;
            this.redaction =
                    isCleartext ? Redaction.CLEARTEXT : asked.question().shown().redaction();
            if (isCleartext && !Disclosure.isAllowed(asked.request(), asked.workspace())) {
                throw Disclosure.refused(asked.request(), asked.workspace());
            }
        }

        void add(Entry published) {
            Document document = published.document();
            boolean isSecret = DocumentView.isSecret(document.tree());
            boolean isShown =
                    add(published, document.tree(), isSecret, tree -> isSecret ? redaction.published(tree) : tree);
            if (isShown && isCleartext) { // only with clear text: a client could mistake the placeholder for the value
                document.missingKey().ifPresent(key -> locked.add(key.problemOf(document.id())));
            }
        }

        void add(Entry published, MapValue rendered) {
            add(published, rendered, rendered.get("data").hasSecrets(), redaction::rendered);
        }

        /* Adds a document if the filter selects it. Returns whether it did. */
        private boolean add(Entry published, MapValue tree, boolean isSecret, UnaryOperator<MapValue> shown) {
            boolean isShown = !Kind.isValidationPolicy(tree.text("schema")) && filter.selects(view(tree, published));
            if (isShown) {
                size.add(tree);
                hasSecrets |= isSecret;
                documents.add(new Created(view(shown.apply(tree), published), published.since(), published.place()));
            }
            return isShown;
        }

        private MapValue view(MapValue tree, Entry published) {
            return DocumentView.of(tree, published.bucket(), published.since() - start);
        }

        Response answer() {
            if (!locked.isEmpty()) {
                throw Failures.of(locked);
            }
            List<MapValue> sorted = order.of(documents);
            if (isCleartext && hasSecrets) {
                Disclosure.shown(asked.request());
            }
            return YamlAnswers.of(200, sorted);
        }
    }
}
