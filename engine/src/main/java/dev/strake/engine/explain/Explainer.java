package dev.strake.engine.explain;

import dev.strake.engine.document.Action;
import dev.strake.engine.explain.Stories.Story;
import dev.strake.engine.explain.Stories.Taken;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedDocuments;
import dev.strake.engine.render.Step;
import dev.strake.engine.substitution.TakenValue;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Explains values of the rendered documents of one revision. It traces a place back through the
 * {@linkplain Stories steps of the evaluation}:
 *
 * <pre>
 *   begin ──► action ──► action ──► substitution ──► operation
 *     │                    ▲              ▲               ▲        what wrote to the place is a cause;
 *     ▼                    │              │               │        the last cause is the winner
 *  the base's          own data      the source's     data of the
 *  explanation                       explanation      operations document, explained
 * </pre>
 *
 * <p>Evaluates only the explained document and the documents that its value came from. Not thread-safe.
 */
public final class Explainer {

    /** Bases and sources beyond this level are named but not explained. */
    private static final int MOST_LEVELS = 100;

    private static final Text STAND_IN = new Text("");

    private final Graph graph;
    private final ChangeEffort effort;
    private final Stories stories;
    private final Map<Asked, Explanation> known = new HashMap<>();

    private record Asked(DocumentId document, Place place) {}

    /**
     * @param graph the graph of the revision
     * @param contents the documents of the revision and their rendered data
     * @param effort counts the work and limits it
     * @param held called with a number of bytes of heap before they are allocated; may throw to stop the work
     */
    public Explainer(Graph graph, Contents contents, ChangeEffort effort, LongConsumer held) {
        this.graph = graph;
        this.effort = effort;
        this.stories = new Stories(graph, contents, effort, held);
    }

    /**
     * Explains one place of a rendered document.
     *
     * @param id a document of the revision without a problem
     */
    public Explanation explain(DocumentId id, Place place) {
        return explain(id, place, 0);
    }

    /**
     * Explains the leaves at and below a place, in the order of the document. Empty containers are leaves. A map with
     * secret keys is explained as a whole, also if the place is below it.
     *
     * @param most the maximum number of explanations
     */
    public List<Explanation> leaves(DocumentId id, Place asked, int most) {
        return leaves(stories.of(id).result(), asked, most, place -> explain(id, place));
    }

    /**
     * As {@link #leaves(DocumentId, Place, int)}, for a derived document.
     *
     * @param owner the document from which the explained document is derived
     */
    public List<Explanation> derivedLeaves(DocumentId owner, DocumentKey key, Place asked, int most) {
        ValueOrigins origins = new ValueOrigins();
        MapValue document = DerivedDocuments.of(graph, stories.copied(origins), owner, effort)
                .documents()
                .get(key);
        DocumentId id = key.in(owner.layer());
        Value data = document == null ? null : document.get("data");
        return leaves(data, asked, most, place -> {
            Value value = data == null ? null : place.in(data);
            if (value == null) {
                return new Explanation(id, place, null, List.of());
            }
            ValueOrigins.Origin origin = origins.of(data, place);
            Explanation source = origin == null ? null : explain(origin.document(), origin.place());
            return new Explanation(id, place, value, List.of(new Cause.Derived(owner, ".data", source, value)));
        });
    }

    /* The data is null if there is no such document. */
    private static List<Explanation> leaves(Value data, Place asked, int most, Function<Place, Explanation> explained) {
        Place below = data == null ? asked : asked.open(data);
        Value from = data == null ? null : below.in(data);
        if (from == null) {
            return List.of(explained.apply(below));
        }
        List<Explanation> result = new ArrayList<>();
        forEachLeaf(from, below, place -> {
            if (result.size() < most) {
                result.add(explained.apply(place));
            }
        });
        return result;
    }

    /* May recurse, because the depth of documents is limited. */
    private static void forEachLeaf(Value value, Place place, Consumer<Place> action) {
        if (value instanceof MapValue map && !map.isEmpty() && !map.isClosed()) {
            map.forEach((key, child) -> forEachLeaf(child, place.at(key), action));
        } else if (value instanceof ListValue list && list.size() > 0) {
            for (int i = 0; i < list.size(); i++) {
                forEachLeaf(list.get(i), place.at(i), action);
            }
        } else {
            action.accept(place);
        }
    }

    private Explanation explain(DocumentId id, Place place, int level) {
        Asked asked = new Asked(id, place);
        Explanation explanation = known.get(asked);
        if (explanation == null) {
            Story story = stories.of(id);
            if (level > MOST_LEVELS) {
                return explanation(id, place, story, List.of()); // not cached, for callers from a lower level
            }
            explanation = explanation(id, place, story, causes(id, story, place, level + 1));
            known.put(asked, explanation);
        }
        return explanation;
    }

    private Explanation explanation(DocumentId id, Place place, Story story, List<Cause> causes) {
        return new Explanation(id, place, place.in(story.result()), causes);
    }

    private List<Cause> causes(DocumentId id, Story story, Place place, int level) {
        Deque<Cause> causes = new ArrayDeque<>();
        Place at = place;
        for (int i = story.steps().size() - 1; i >= 0 && at != null; i--) {
            Taken taken = story.steps().get(i);
            effort.spend(1L + at.steps().size());
            Place earlier = i == 0 ? null : Shifted.back(taken.before(), taken.after(), at, story.origins(), effort);
            boolean isNew = i == 0 || earlier == null; // the step inserted a list item, which may lack this place
            boolean wrote = isNew ? at.in(taken.after()) != null : wrote(story, taken, earlier, at);
            if (wrote) {
                causes.addFirst(cause(id, story, taken, at, level));
            }
            at = earlier;
        }
        return List.copyOf(causes);
    }

    /* Whether a step wrote to a place, even if it wrote the value that was there before. */
    @SuppressWarnings("ReferenceEquality")
    private boolean wrote(Story story, Taken taken, Place earlier, Place at) {
        Value then = earlier.in(taken.before());
        Value now = at.in(taken.after());
        if (then != now || now == null) {
            return then != now;
        }
        if (ValueOrigins.hasIdentity(now)) {
            return wroteAgain(story, taken, at);
        }
        // A value without identity is the same object before and after. So the step runs again with a stand-in there.
        Value other = earlier.replacedIn(taken.before(), STAND_IN);
        Budget budget = RenderLimits.NONE.budget();
        try {
            return at.in(taken.step().take(other, budget)) != STAND_IN;
        } catch (EvaluationException e) {
            return false; // the step needs the old value, so it keeps that value
        } finally {
            effort.spend(budget.spent());
        }
    }

    /* Two actions may write the same object of the document's own data, two substitutions the same of their source. */
    private static boolean wroteAgain(Story story, Taken taken, Place at) {
        if (taken.step() instanceof Step.Layer layer) {
            ValueOrigins.Origin origin = story.origins().of(taken.after(), at);
            return origin != null && origin.isOwn() && origin.place().equals(at) && carries(layer.action(), at);
        }
        if (taken.step() instanceof Step.Substitute substitute && !substitute.hasPattern()) {
            Place written = substitute.destination().path().onlyPlace();
            return written != null && !written.equals(Place.ROOT) && at.isWithin(written);
        }
        return false;
    }

    /* Whether an action copies the document's own data to a place. At $, replace does not replace a mapping. */
    private static boolean carries(Action action, Place at) {
        Place place = action.path().onlyPlace();
        return switch (action.method()) {
            case MERGE -> place != null && at.isWithin(place);
            case REPLACE ->
                place != null && at.isWithin(place) && !action.path().isDollar();
            case DELETE -> false;
        };
    }

    private Cause cause(DocumentId id, Story story, Taken taken, Place at, int level) {
        Step step = taken.step();
        Value now = at.in(taken.after());
        ValueOrigins.Origin origin = now == null ? null : story.origins().of(taken.after(), at);
        if (step instanceof Step.Begin begin) {
            return begin.base() == null
                    ? new Cause.Own(id, at, now)
                    : new Cause.Inherited(id, begin.place(), begin.base(), explain(begin.base(), at, level), now);
        }
        if (step instanceof Step.Layer layer) {
            Place written = layer.action().path().onlyPlace();
            Place own = origin != null && origin.isOwn()
                    ? origin.place()
                    : written != null && at.isWithin(written) ? at : null;
            boolean isThere = own != null && now != null && now.equals(own.in(layer.own()));
            return new Cause.Layered(id, layer.place(), layer.number(), layer.action(), isThere ? own : null, now);
        }
        if (step instanceof Step.Substitute substitute) {
            Explanation from = isFrom(substitute.taken().source(), origin)
                    ? explain(origin.document(), origin.place(), level)
                    : source(story, substitute, at, now, level);
            return new Cause.Substituted(
                    id,
                    step.place(),
                    new Cause.Substituted.Asked(
                            substitute.taken().number(), substitute.taken().wanted(), substitute.destination()),
                    substitute.taken().picked(),
                    from,
                    now);
        }
        Step.Operate operate = (Step.Operate) step;
        boolean isMade = origin == null && ValueOrigins.hasIdentity(now); // as the name in /servers/name=web?
        Place given = isFrom(operate.askedBy(), origin)
                ? origin.place()
                : Place.ROOT.at("operations").at(operate.number()).at("value");
        Explanation from = now == null || isMade ? null : explain(operate.askedBy(), given, level);
        return new Cause.Operated(
                operate.askedBy(),
                operate.place(),
                operate.number(),
                operate.operations().items().get(operate.number()).type(),
                from == null || from.value() == null || !from.value().equals(now) ? null : from,
                now);
    }

    private static boolean isFrom(DocumentId document, ValueOrigins.Origin origin) {
        return origin != null && !origin.isOwn() && origin.document().equals(document);
    }

    /*
     * Explains the source's value that a substitution wrote to a place; null if that value is unknown. A mapping that
     * is written at the root is copied entry by entry, so only paths show the origin of values without identity. Values
     * next to the written place do not: a list may have been filled up to the written index.
     */
    private Explanation source(Story story, Step.Substitute substitute, Place at, Value now, int level) {
        TakenValue taken = substitute.taken();
        ValueOrigins.Origin origin =
                ValueOrigins.hasIdentity(taken.found()) ? story.origins().of(taken.found(), Place.ROOT) : null;
        Place from = origin == null ? taken.wanted().path().onlyPlace() : origin.place();
        Place written = substitute.destination().path().onlyPlace();
        boolean isBelow = written != null && at.isWithin(written);
        boolean isBeside = substitute.hasPattern() && written != null && !isBelow; // fills up a list: no source
        if (from == null || isBeside) {
            return null;
        }
        if (origin == null && ValueOrigins.hasIdentity(taken.found())) { // a character of the text one step up
            boolean isIt = now == null || substitute.hasPattern() || now.equals(taken.found());
            return isIt ? explain(taken.source(), from.upTo(from.steps().size() - 1), level) : null;
        }
        if (substitute.hasPattern()) {
            return explain(taken.source(), from, level);
        }
        Explanation source = explain(
                taken.source(), isBelow ? from.then(at.after(written.steps().size())) : from, level);
        return now == null || now.equals(source.value()) ? source : null;
    }
}
