package dev.strake.server.state;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.server.pipeline.Placement;
import dev.strake.server.pipeline.Placement.Elsewhere;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.server.state.Answer.AskAt;
import dev.strake.server.state.Answer.Item;
import dev.strake.server.state.Answer.Listing;
import dev.strake.server.state.Answer.Reason;
import dev.strake.server.state.Answer.Refused;
import dev.strake.server.state.Answer.Whole;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionLeases.Lease;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about workspaces, each from one revision: the head as it was when the question came, or the revision
 * that is asked for. The pipeline goes on meanwhile, and revisions are pruned; one that is being read goes only if too many
 * others come meanwhile. An answer either is of its revision from the first document to the last, or it fails.
 */
public final class WorkspaceService {

    /** The head goes only if more revisions than are kept come while it is looked up; each time another one is there. */
    private static final int ATTEMPTS = 5;

    /** Documents that one comparison of revisions looks at. */
    private static final int MOST_COMPARED = 200_000;

    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceService.class);

    private final Placement placement;
    private final Disclosure disclosure;
    private final Derivations derivations = new Derivations();
    private final Listings listings = new Listings(derivations);
    private final Plans plans;
    private final DocumentQuestions documents;

    /**
     * @param placement which instance has a workspace
     * @param dryRun tries changes as the stream would make them
     * @param hash by which equal secrets of this installation are shown to be equal
     */
    public WorkspaceService(Placement placement, DryRun dryRun, KeyedHash hash) {
        this.placement = placement;
        this.disclosure = new Disclosure(hash);
        this.plans = new Plans(dryRun);
        this.documents = new DocumentQuestions(plans);
    }

    /**
     * A question about one workspace.
     *
     * @param revision as it was given; the head if it was not
     * @param fromStandby whether a copy may answer that is a little behind
     * @param shown how whoever asks is shown secrets
     */
    record Question(
            String workspace, Optional<String> revision, boolean fromStandby, Page page, Disclosure.Shown shown) {

        Redaction redaction() {
            return shown.redaction();
        }
    }

    /** Decides how secrets are shown. */
    Disclosure disclosure() {
        return disclosure;
    }

    Placement placement() {
        return placement;
    }

    Answer revisions(Question question) {
        return here(question, (state, here) -> {
            long after = question.page()
                    .after(1)
                    .map(name -> NamedRevision.number(name.get(0)))
                    .orElse(0L);
            Stream<Item> items = state.revisions(question.workspace(), after)
                    .map(each -> new Item(List.of(Long.toString(each.number())), StateJson.revision(each)));
            return listing(question, items, here);
        });
    }

    Answer documents(Question question, Wanted wanted) {
        return read(question, reading -> listings.documents(reading, wanted));
    }

    Answer rendered(Question question, Wanted wanted) {
        return read(question, reading -> listings.rendered(reading, wanted));
    }

    Answer problems(Question question, Wanted wanted) {
        return read(question, reading -> listings.problems(reading, wanted));
    }

    Answer buckets(Question question) {
        return read(question, listings::buckets);
    }

    /** Every document, what it is, and what it depends on: the layer graph. */
    Answer graph(Question question, Wanted wanted) {
        return read(question, reading -> listings.graph(reading, wanted));
    }

    /** The tags of revisions, the oldest revision first. */
    Answer tags(Question question) {
        return here(question, (state, here) -> {
            List<String> after = question.page().after(2).orElse(List.of("0", ""));
            long revision = NamedRevision.number(after.get(0));
            Stream<Item> items = state.revisions(question.workspace(), Math.max(0, revision - 1))
                    .flatMap(each -> each.revision().tags().entrySet().stream()
                            .filter(tag ->
                                    each.number() > revision || tag.getKey().compareTo(after.get(1)) > 0)
                            .map(tag -> new Item(
                                    List.of(Long.toString(each.number()), tag.getKey()),
                                    StateJson.tag(
                                            each, tag.getKey(), tag.getValue()))));
            return listing(question, items, here);
        });
    }

    /** A change that was applied, as long as its id is remembered. */
    Answer change(Question question, String id) {
        return here(
                question,
                (state, here) -> state.applied(question.workspace(), id)
                        .<Answer>map(applied -> new Whole(StateJson.applied(question.workspace(), id, applied)))
                        .orElseGet(() -> new Refused(
                                Reason.MISSING,
                                "ChangeNotFound",
                                "No change of this id was applied here, or not yet, or so long ago that its id"
                                        + " is forgotten.")));
    }

    private static Listing listing(Question question, Stream<Item> items, Here here) {
        MapValue what = MapValue.of("workspace", new Text(question.workspace()));
        return new Listing(what, items, -1, question.page(), Reading.origin(question, here), () -> false);
    }

    /**
     * What differs between two revisions.
     *
     * @param wanted which documents are compared, by schema and name
     * @param changes whether to say how it differs, too
     */
    Answer diff(Question question, String from, String to, Wanted wanted, boolean changes) {
        return here(question, (state, here) -> {
            long first = NamedRevision.find(state, question.workspace(), from);
            long second = NamedRevision.find(state, question.workspace(), to);
            MapValue what = StateJson.ofTwo(question.workspace(), first, second);
            int[] compared = new int[1];
            Lease lease = state.read(question.workspace(), first, second);
            try (lease;
                    Comparison comparison = new Comparison(
                            derivations, state, question.workspace(), first, second, question.redaction())) {
                Differences differences = state.diff(question.workspace(), first, second, wanted::isNamed, () -> {
                    if (++compared[0] > MOST_COMPARED) {
                        throw new TooFarApartException();
                    }
                });
                MapValue answer = changes ? comparison.changes(differences, what) : Comparison.names(differences, what);
                return new Whole(answer.updatedWith(Reading.origin(question, here)));
            }
        });
    }

    static final class TooFarApartException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private TooFarApartException() {
            super("More than %,d documents were touched between the two revisions. ".formatted(MOST_COMPARED)
                    + "Compare revisions that are closer, or read both and compare them yourself.");
        }
    }

    /** Why values of a rendered document are what they are; of a document with a problem, the problem. */
    Answer explain(Question question, DocumentKey key, Place place) {
        return derived(question, (reading, revision) -> documents.explain(reading, revision, key, place));
    }

    /** Why a revision rendered a document again: from the document back to the edit where it began. */
    Answer why(Question question, DocumentKey key) {
        return read(question, reading -> documents.why(reading, key));
    }

    /** What a document, or a place of its data, reaches. */
    Answer affected(Question question, DocumentKey key, Optional<String> layer, Place place) {
        return derived(question, (reading, revision) -> documents.affected(reading, revision, key, layer, place));
    }

    /** The largest change that is tried, in bytes. */
    int mostPlanBytes() {
        return plans.mostBodyBytes();
    }

    /**
     * What a change would do. It may be the first one of its workspace.
     *
     * @param against the revision on whose documents it is tried; the head if empty
     */
    Answer plan(Question question, ChangeEnvelope change, byte[] body, Optional<String> against) {
        return here(
                question,
                here -> attempt(() -> {
                    OptionalLong revision = against.isEmpty()
                            ? OptionalLong.empty()
                            : OptionalLong.of(NamedRevision.find(here.state(), question.workspace(), against.get()));
                    try {
                        return plans.of(here.state(), change, body, revision, question.shown());
                    } catch (RejectedChangeException e) {
                        return Refused.tooLarge();
                    }
                }));
    }

    private Answer derived(Question question, BiFunction<Reading, DerivedRevision, Answer> reader) {
        return read(question, reading -> {
            try (Derivations.Lease derived =
                    derivations.open(reading.state(), question.workspace(), reading.number())) {
                return reader.apply(reading, derived.revision());
            }
        });
    }

    private Answer read(Question question, Function<Reading, Answer> reader) {
        return here(question, (state, here) -> {
            long head = state.head(question.workspace());
            long number = question.revision().isPresent()
                    ? NamedRevision.find(
                            state, question.workspace(), question.revision().get())
                    : head;
            Lease lease = state.read(question.workspace(), number);
            boolean isReadOn = false;
            try {
                Answer answer = reader.apply(reading(question, number, state, here));
                if (answer instanceof Listing listing) {
                    answer = listing.keeping(lease);
                    isReadOn = true;
                }
                return answer;
            } finally {
                if (!isReadOn) {
                    lease.close();
                }
            }
        });
    }

    private static Reading reading(Question question, long number, WorkspaceQueries state, Here here) {
        Revision revision = number == 0
                ? null
                : state.revision(question.workspace(), number).orElseThrow(() -> new RevisionGoneException(number));
        Reading reading = new Reading(question, state, number, revision, here);
        // The stores of a copy follow one by one. Of an instance that works on the workspace they go together.
        if (here.behind().isPresent() && !reading.stored().has(reading.documents())) {
            throw new RevisionGoneException(number);
        }
        return reading;
    }

    @FunctionalInterface
    private interface Reader {
        Answer read(WorkspaceQueries state, Here here);
    }

    private Answer here(Question question, Reader reader) {
        return here(
                question,
                here -> attempt(() -> here.state().head(question.workspace()) == 0
                        ? Refused.noWorkspace(question.workspace())
                        : reader.read(here.state(), here)));
    }

    private Answer here(Question question, Function<Here, Answer> answer) {
        try {
            Placement.Place place = placement.of(question.workspace(), question.fromStandby());
            if (place instanceof Elsewhere elsewhere) {
                return new AskAt(elsewhere.address());
            }
            return place instanceof Here here ? answer.apply(here) : Refused.notHere();
        } catch (RuntimeException e) {
            return Refused.of(e, question.fromStandby());
        }
    }

    static Answer attempt(Supplier<Answer> answer) {
        int left = ATTEMPTS;
        while (left-- > 0) {
            try {
                return answer.get();
            } catch (RevisionGoneException e) {
                LOG.debug("Asked again: {}", e.getMessage()); // there is a later head, or a reason why it is gone
            }
        }
        return Refused.changing();
    }
}
