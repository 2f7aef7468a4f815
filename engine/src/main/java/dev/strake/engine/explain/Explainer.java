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
 * Explains values of the rendered documents of one revision. It looks at {@linkplain Stories how a document was evaluated}, and
 * follows a place back through the steps:
 *
 * <pre>
 *   begin ──► action ──► action ──► substitution ──► operation
 *     │                    ▲              ▲               ▲        what wrote to the place is a cause;
 *     ▼                    │              │               │        the last cause is the winner
 *  the base's          own data      the source's     data of the
 *  explanation                       explanation      operations document, explained
 * </pre>
 *
 * <p>Only the document that is asked for and those that its value came from are evaluated. Not for concurrent use.
 */
public final class Explainer {

    /** Bases and sources of more levels are named, and not explained. */
    private static final int MOST_LEVELS = 100;

    private static final Text STAND_IN = new Text("");

    private final Graph graph;
    private final ChangeEffort effort;
    private final Stories stories;
    private final Map<Asked, Explanation> known = new HashMap<>();

    private record Asked(DocumentId document, Place place) {}

    /**
     * @param graph of the revision
     * @param contents its documents and what they rendered to
     * @param effort counts the work, and ends it where it is too much
     * @param held told of bytes of heap before they are taken; what it throws ends the work
     */
    public Explainer(Graph graph, Contents contents, ChangeEffort effort, LongConsumer held) {
        this.graph = graph;
        this.effort = effort;
        this.stories = new Stories(graph, contents, effort, held);
    }

    /**
     * Explains one place of a rendered document.
     *
     * @param id a document of the revision that is not in trouble
     */
    public Explanation explain(DocumentId id, Place place) {
        return explain(id, place, 0);
    }

    /**
     * Explains the values at and below a place that are no containers, or empty ones, in the order of the document. Of a map whose
     * keys are secret, and of any place below, only the map is explained.
     *
     * @param most how many are explained at the most
     */
    public List<Explanation> leaves(DocumentId id, Place asked, int most) {
        return leaves(stories.of(id).result(), asked, most, place -> explain(id, place));
    }

    /**
     * The same for a derived document.
     *
     * @param owner the document that it is derived from
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

    /* The data is null if there is none. */
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

    /* As deep as a document may be, so this may recurse. */
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
                return explanation(id, place, story, List.of()); // others may ask from nearer
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
            boolean isNew = i == 0 || earlier == null; // an item that was put into a list, perhaps without this place
            boolean wrote = isNew ? at.in(taken.after()) != null : wrote(story, taken, earlier, at);
            if (wrote) {
                causes.addFirst(cause(id, story, taken, at, level));
            }
            at = earlier;
        }
        return List.copyOf(causes);
    }

    /* Whether a step wrote to a place, perhaps what was there before. */
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
        // It cannot be told from what was there before. So the step is taken with something else there.
        Value other = earlier.replacedIn(taken.before(), STAND_IN);
        Budget budget = RenderLimits.NONE.budget();
        try {
            return at.in(taken.step().take(other, budget)) != STAND_IN;
        } catch (EvaluationException e) {
            return false; // it needs what was there, so it leaves it there
        } finally {
            effort.spend(budget.spent());
        }
    }

    /* A second action may write the same of its own data, a second substitution the same of its source. */
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

    /* Whether an action carries the document's own data over to a place. At $, replace replaces no mapping. */
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
            Place own = origin != null && origin.isOwn()
                    ? origin.place()
                    : layer.action().path().onlyPlace() != null ? at : null;
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
        boolean isMade =
                origin == null && ValueOrigins.hasIdentity(now); // by its path, as the name in /servers/name=web?
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
     * Why the source has what came to a place; null if that cannot be told. What is written at the root of a mapping is
     * taken apart, so of what has no identity only the paths tell, and not what stands beside it: a list may have been filled
     * up to the index that is written.
     */
    private Explanation source(Story story, Step.Substitute substitute, Place at, Value now, int level) {
        TakenValue taken = substitute.taken();
        ValueOrigins.Origin origin =
                ValueOrigins.hasIdentity(taken.found()) ? story.origins().of(taken.found(), Place.ROOT) : null;
        Place from = origin == null ? taken.wanted().path().onlyPlace() : origin.place();
        Place written = substitute.destination().path().onlyPlace();
        boolean isBelow = written != null && at.isWithin(written);
        boolean isBeside = substitute.hasPattern() && written != null && !isBelow; // what fills a list up has no source
        if (from == null || isBeside) {
            return null;
        }
        if (origin == null && ValueOrigins.hasIdentity(taken.found())) { // a character of the text at the place above
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
