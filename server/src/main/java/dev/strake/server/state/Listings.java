package dev.strake.server.state;

import dev.strake.client.RevisionName;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.query.Selection;
import dev.strake.server.http.Response;
import dev.strake.server.metrics.Latencies;
import dev.strake.server.state.Listing.Item;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.query.HeldBack;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.StoredRevision.Read;
import dev.strake.topology.store.StoredRevision.ReadDerived;
import dev.strake.topology.store.StoredRevision.Rendered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The lists of a workspace or a revision, streamed with one item in memory at a time. */
final class Listings {

    /** The limit for the steps of all queries of a response; it ends the page. */
    private static final long MOST_STEPS = 20_000_000;

    /** Sorts before all documents. */
    private static final DocumentId WHOLE = new DocumentId("", "", "");

    private Listings() {}

    static Response revisions(Question question, Latencies latencies) {
        ListRequest wanted = ListRequest.of(question.request());
        long after = wanted.after(1).map(names -> number(names.get(0))).orElse(0L);
        return ofWorkspace(
                question,
                wanted,
                question.state()
                        .history()
                        .revisions(question.workspace(), after)
                        .map(each -> new Item(
                                List.of(Long.toString(each.number())),
                                StateJson.revision(each, latencies.of(question.workspace(), each.number())))));
    }

    /** Lists the tags of revisions, the oldest revision first. */
    static Response tags(Question question) {
        ListRequest wanted = ListRequest.of(question.request());
        List<String> after = wanted.after(2).orElse(List.of("0", ""));
        long revision = number(after.get(0));
        return ofWorkspace(
                question,
                wanted,
                question.state()
                        .history()
                        .revisions(question.workspace(), Math.max(0, revision - 1))
                        .flatMap(each -> each.revision().tags().entrySet().stream()
                                .filter(tag ->
                                        each.number() > revision || tag.getKey().compareTo(after.get(1)) > 0)
                                .map(tag -> new Item(
                                        List.of(Long.toString(each.number()), tag.getKey()),
                                        StateJson.tag(each, tag.getKey(), tag.getValue())))));
    }

    private static long number(String text) {
        return new RevisionName(text)
                .number()
                .orElseThrow(() -> new IllegalArgumentException("The number of a revision has to be 0 or more."));
    }

    private static Response ofWorkspace(Question question, ListRequest wanted, Stream<Item> items) {
        MapValue what = MapValue.of("workspace", question.workspace());
        return Listing.of(question, wanted, what, items).response();
    }

    private static Listing listing(OpenRevision open, ListRequest wanted, Stream<Item> items) {
        return Listing.of(open.question(), wanted, open.what(), items);
    }

    static Listing documents(OpenRevision open, ListRequest wanted) {
        DocumentItems shown = new DocumentItems(open, wanted, new AtomicLong());
        Stream<Item> items = open.stored()
                .documents(after(wanted), wanted::isNamed)
                .map(read -> shown.item(
                        name(read.id()),
                        read.id(),
                        read.entry().document(),
                        () -> shown.redaction()
                                .published(read.entry().document().tree()),
                        content -> StateJson.document(read, content)));
        return shown.listing(items, open.documents());
    }

    /**
     * Lists rendered documents, without those that do not render. Derived documents follow all others. For a partially
     * published head, the first page also lists the held back documents.
     */
    static Listing rendered(OpenRevision open, ListRequest wanted) {
        boolean tellsWhatIsHeld = wanted.after().isEmpty() && isHeadInPart(open);
        Optional<HeldBack> heldBack = tellsWhatIsHeld
                ? Optional.of(open.state().heldBack(open.question().workspace(), open.number(), StateJson.MOST_NAMES))
                : Optional.empty();
        DocumentItems shown = new DocumentItems(open, wanted, new AtomicLong());
        DerivedRevision revision = open.derived();
        Stream<Item> documents = isAmongDerived(wanted)
                ? Stream.empty()
                : renderings(open, wanted).map(read -> {
                    Document document = read.document().document();
                    return shown.item(
                            name(read.id()),
                            read.id(),
                            document,
                            () -> shown.redaction().rendered(document.rendered(revision.data(read))),
                            content -> content);
                });
        DerivedRevision.FromOwners fromOwners = revision.new FromOwners();
        Stream<Item> derived = derived(open, wanted).map(read -> {
            Document document = Document.ofValid(fromOwners.get(read));
            return shown.item(
                    nameOfDerived(read.key()),
                    document.id(),
                    document,
                    () -> shown.redaction().rendered(document.tree()),
                    content -> content);
        });
        Listing listing = shown.listing(Stream.concat(documents, derived), records(open));
        return heldBack.isPresent() ? listing.with("heldBack", StateJson.heldBack(heldBack.get())) : listing;
    }

    /* In a revision without problems, all documents rendered. If a key was lost since, a mask replaces their data. */
    private static Stream<Rendered> renderings(OpenRevision open, ListRequest wanted) {
        return records(open) < 0
                ? open.stored().inOrder(after(wanted), wanted::isNamed)
                : open.stored().inRenderedSet(after(wanted), wanted::isNamed);
    }

    private static boolean isHeadInPart(OpenRevision open) {
        return open.entry()
                        .filter(each -> each.status() == OutcomeStatus.PARTIAL)
                        .isPresent()
                && open.number()
                        == open.state().history().lastRevision(open.question().workspace());
    }

    /* If documents are held back, the number of published records differs from the number of rendered documents. */
    private static long records(OpenRevision open) {
        return open.entry()
                .filter(each -> each.status() == OutcomeStatus.RENDERED)
                .map(each -> (long) each.published().records())
                .orElse(-1L);
    }

    private static Stream<ReadDerived> derived(OpenRevision open, ListRequest wanted) {
        DocumentKey after = isAmongDerived(wanted)
                ? new DocumentKey(wanted.after().get(0), wanted.after().get(2))
                : null;
        return open.stored()
                .derivedDocuments(after)
                .filter(read -> wanted.isNamed(
                        new DocumentId(read.key().schema(), "", read.key().name())));
    }

    /** Filters and redacts the documents of a response, and counts the steps of its queries. */
    private record DocumentItems(OpenRevision open, ListRequest wanted, AtomicLong steps) {

        Redaction redaction() {
            return open.question().shown().redaction();
        }

        /*
         * Returns an item; computes its content only if the filter includes the document. Queries see redacted content,
         * because queries of clear text would answer guesses.
         */
        Item item(
                List<String> name,
                DocumentId id,
                Document document,
                Supplier<MapValue> content,
                Function<MapValue, Value> json) {
            if (!wanted.isLabelled(document)) {
                return Item.passedOver(name);
            }
            if (wanted.query().isEmpty()) {
                return new Item(name, json.apply(content.get()));
            }
            MapValue whole = content.get();
            if (wanted.query().get().compares()) { // its selection reveals what it was compared with
                open.question().shown().telling(whole);
            }
            Selection selection = wanted.query().get().in(whole, steps::addAndGet);
            return selection.isEmpty() ? Item.passedOver(name) : new Item(name, selection.in(ProblemJson.write(id)));
        }

        /** @param whole the number of items if nothing is filtered; -1 if not known */
        Listing listing(Stream<Item> items, long whole) {
            return new Listing(
                    open.question(),
                    wanted,
                    open.what(),
                    items,
                    wanted.isAll() ? whole : -1,
                    () -> steps.get() >= MOST_STEPS);
        }
    }

    /** Lists the problem of the revision as a whole, then those of documents. */
    static Listing problems(OpenRevision open, ListRequest wanted) {
        DocumentId after = after(wanted);
        Stream<Item> whole = after != null || !wanted.isAll()
                ? Stream.empty()
                : open.state().wholeProblem(open.question().workspace(), open.number()).stream()
                        .map(problem -> new Item(
                                name(WHOLE),
                                open.withBeginning(
                                        ProblemJson.write(problem),
                                        open.entry().orElseThrow().published().revision() + 1)));
        Stream<Item> ofDocuments = open.stored()
                .renderings(after)
                .filter(read -> read.entry().problem() != null && wanted.isNamed(read.id()))
                .map(read -> new Item(name(read.id()), problem(open, read)));
        Listing listing = listing(open, wanted, Stream.concat(whole, ofDocuments));
        if (after != null || !wanted.isAll() || !open.isInTrouble()) {
            return listing;
        }
        ProblemCount count = open.state()
                .trouble(open.question().workspace(), open.number(), AllWorkspaces.MOST_PROBLEMS)
                .count();
        return listing.with("problems", Num.of(count.problems() + count.waiting()))
                .with("waiting", Num.of(count.waiting()));
    }

    /* No revision began that a key is lost. */
    private static MapValue problem(OpenRevision open, Read<Rendering> read) {
        Problem problem = read.entry().problem();
        MapValue json = open.inList(problem);
        return problem.code() == ProblemCode.SECRET_KEY_NOT_FOUND ? json : open.withBeginning(json, read.since());
    }

    /** Lists all documents with their dependencies, without content; then derived documents with their owners. */
    static Listing graph(OpenRevision open, ListRequest wanted) {
        Graph graph = open.derived().graph();
        DocumentId after = isAmongDerived(wanted) ? null : after(wanted);
        Stream<Item> documents = isAmongDerived(wanted)
                ? Stream.empty()
                : graph.documents().stream()
                        .filter(id -> (after == null || id.compareTo(after) > 0) && wanted.isNamed(id))
                        .sorted()
                        .map(id -> new Item(name(id), GraphJson.document(graph, graph.facts(id))));
        Stream<Item> derived = derived(open, wanted)
                .map(read -> new Item(
                        nameOfDerived(read.key()),
                        GraphJson.derived(read.key(), read.record().owner())));
        return listing(open, wanted, Stream.concat(documents, derived)).with("layers", GraphJson.layers(graph));
    }

    static Listing buckets(OpenRevision open, ListRequest wanted) {
        String after = wanted.after(1).map(names -> names.get(0)).orElse("");
        Map<String, Integer> buckets =
                open.state().buckets(open.question().workspace(), open.number()).tailMap(after + "\0");
        return listing(
                open,
                wanted,
                buckets.entrySet().stream()
                        .map(each ->
                                new Item(List.of(each.getKey()), StateJson.bucket(each.getKey(), each.getValue()))));
    }

    private static List<String> name(DocumentId id) {
        return List.of(id.schema(), id.layer(), id.name());
    }

    private static List<String> nameOfDerived(DocumentKey key) {
        return List.of(key.schema(), "", key.name(), "derived");
    }

    /* Whether the previous page ended with a derived document. */
    private static boolean isAmongDerived(ListRequest wanted) {
        return wanted.after().size() == 4;
    }

    /** Returns the last document of the previous page; null for the first page. */
    private static DocumentId after(ListRequest wanted) {
        return wanted.after(3)
                .map(names -> new DocumentId(names.get(0), names.get(1), names.get(2)))
                .orElse(null);
    }
}
