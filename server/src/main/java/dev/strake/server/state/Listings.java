package dev.strake.server.state;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.serdes.query.Selection;
import dev.strake.server.state.Listing.Item;
import dev.strake.topology.query.HeldBack;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.Rendered;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The lists that a revision has. One item of them is on the heap at a time. */
final class Listings {

    /** Steps that the queries of one answer may take together; then its page ends. */
    private static final long MOST_STEPS = 20_000_000;

    /** Stands before all documents. */
    private static final DocumentId WHOLE = new DocumentId("", "", "");

    private final Derivations derivations;

    Listings(Derivations derivations) {
        this.derivations = derivations;
    }

    /** The documents as published. */
    Listing documents(Reading reading, Wanted wanted) {
        long[] steps = new long[1];
        return reading.listing(
                reading.stored()
                        .documents(reading.after(), wanted::isNamed)
                        .map(read -> item(
                                Reading.name(read.id()),
                                read.id(),
                                read.entry().document(),
                                wanted,
                                () -> reading.redaction()
                                        .when(read.entry().document().isEncrypted())
                                        .published(read.entry().document().tree()),
                                shown -> StateJson.document(read, shown),
                                steps)),
                wanted.isAll() ? reading.documents() : -1,
                () -> steps[0] >= MOST_STEPS);
    }

    /**
     * What the documents render to; of those that do not, nothing. Of a head that is published in part, the first page
     * says what consumers hold of these.
     */
    Listing rendered(Reading reading, Wanted wanted) {
        if (!isHeadInPart(reading) || reading.after() != null) {
            return inOrder(reading, wanted);
        }
        HeldBack heldBack =
                reading.state().heldBack(reading.question().workspace(), reading.number(), StateJson.MOST_NAMES);
        return inOrder(reading, wanted).with("heldBack", StateJson.heldBack(heldBack));
    }

    private static boolean isHeadInPart(Reading reading) {
        return reading.revision() != null
                && reading.revision().status() == OutcomeStatus.PARTIAL
                && reading.number() == reading.state().head(reading.question().workspace());
    }

    private Listing inOrder(Reading reading, Wanted wanted) {
        StoredRevision stored = reading.stored();
        Derivations.Lease lease = derivations.open(reading);
        try {
            Stream<Rendered> documents =
                    reading.afterDerived() == null ? stored.inOrder(reading.after(), wanted::isNamed) : Stream.empty();
            return rendered(
                    reading,
                    wanted,
                    documents.onClose(lease::close),
                    lease.revision(),
                    derived(reading, wanted, lease.revision()));
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    private static Listing rendered(
            Reading reading,
            Wanted wanted,
            Stream<Rendered> documents,
            DerivedRevision revision,
            Stream<DerivedDocument> derived) {
        long[] steps = new long[1];
        Stream<Item> items = documents.map(read -> {
            Document document = read.document().document();
            return item(
                    Reading.name(read.id()),
                    read.id(),
                    document,
                    wanted,
                    () -> reading.redaction()
                            .when(revision.graph().isSecret(read.id()))
                            .rendered(document.rendered(revision.data(read))),
                    rendered -> rendered,
                    steps);
        });
        Stream<Item> more = derived.map(each -> item(
                Reading.nameOfDerived(each.key),
                each.document.id(),
                each.document,
                wanted,
                () -> reading.redaction()
                        .when(each.document.isEncrypted()) // as whoever derived it knew
                        .rendered(each.document.tree()),
                rendered -> rendered,
                steps));
        return reading.listing(
                Stream.concat(items, more), wanted.isAll() ? rendered(reading) : -1, () -> steps[0] >= MOST_STEPS);
    }

    /** A derived document; documents of one owner are made together. */
    private record DerivedDocument(DocumentKey key, Document document) {}

    /* They come after all others. */
    private static Stream<DerivedDocument> derived(Reading reading, Wanted wanted, DerivedRevision revision) {
        DerivedRevision.FromOwners fromOwners = revision.new FromOwners();
        return reading.stored()
                .derivedDocuments(reading.afterDerived())
                .filter(read -> wanted.isNamed(
                        new DocumentId(read.key().schema(), "", read.key().name())))
                .map(read -> new DerivedDocument(read.key(), Document.ofValid(fromOwners.get(read))));
    }

    /* Where something is held back, consumers have other documents than those of the revision that are in order. */
    private static long rendered(Reading reading) {
        return reading.revision() != null && reading.revision().status() == OutcomeStatus.RENDERED
                ? reading.revision().published().records()
                : -1;
    }

    /*
     * An item, or one that is passed over. The content is only worked out for a document that is wanted. A query sees what is
     * shown: one of clear text would answer guesses.
     */
    private static Item item(
            List<String> name,
            DocumentId id,
            Document document,
            Wanted wanted,
            Supplier<MapValue> content,
            Function<MapValue, Value> json,
            long[] steps) {
        if (!wanted.isLabelled(document)) {
            return Item.passedOver(name);
        }
        if (wanted.query().isEmpty()) {
            return new Item(name, json.apply(content.get()));
        }
        DocumentQuery query = wanted.query().get();
        Selection selection = query.in(content.get(), more -> steps[0] += more);
        return selection.isEmpty() ? Item.passedOver(name) : new Item(name, selection.in(ProblemJson.write(id)));
    }

    /** The problems: that of the revision as a whole, and those of documents. */
    Listing problems(Reading reading, Wanted wanted) {
        DocumentId after = reading.after();
        Stream<Item> whole = after != null || !wanted.isAll()
                ? Stream.empty()
                : reading.state().wholeProblem(reading.question().workspace(), reading.number()).stream()
                        .map(problem -> new Item(Reading.name(WHOLE), ProblemJson.write(problem)));
        Stream<Item> ofDocuments = reading.stored()
                .renderings(after)
                .filter(read -> read.entry().problem() != null && wanted.isNamed(read.id()))
                .map(read -> new Item(
                        Reading.name(read.id()), reading.withOrigin(read.entry().problem())));
        return reading.listing(Stream.concat(whole, ofDocuments), -1);
    }

    /** Every document without its content, and what it depends on; behind them those that are derived, and from what. */
    Listing graph(Reading reading, Wanted wanted) {
        Derivations.Lease lease = derivations.open(reading);
        try {
            Graph graph = lease.revision().graph();
            DocumentId after = reading.after();
            Stream<Item> documents = reading.afterDerived() != null
                    ? Stream.empty()
                    : graph.documents().stream()
                            .filter(id -> (after == null || id.compareTo(after) > 0) && wanted.isNamed(id))
                            .sorted()
                            .map(id -> new Item(Reading.name(id), GraphJson.document(graph, graph.facts(id))));
            Stream<Item> derived = reading.stored()
                    .derivedDocuments(reading.afterDerived())
                    .filter(read -> wanted.isNamed(
                            new DocumentId(read.key().schema(), "", read.key().name())))
                    .map(read -> new Item(
                            Reading.nameOfDerived(read.key()),
                            GraphJson.derived(read.key(), read.record().owner())));
            return reading.listing(Stream.concat(documents, derived).onClose(lease::close), -1)
                    .with("layers", GraphJson.layers(graph));
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /** The buckets, and how many documents each holds. */
    Listing buckets(Reading reading) {
        String after =
                reading.question().page().after(1).map(name -> name.get(0)).orElse("");
        Map<String, Integer> buckets = reading.state()
                .buckets(reading.question().workspace(), reading.number())
                .tailMap(after + "\0");
        return reading.listing(
                buckets.entrySet().stream()
                        .map(each ->
                                new Item(List.of(each.getKey()), StateJson.bucket(each.getKey(), each.getValue()))),
                -1);
    }
}
