package dev.strake.serdes.text;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;

/**
 * What the documents of a change have together, in all texts that were read so far. It is counted while a text is read:
 * a limit of the whole change holds before the value that exceeds it takes its place on the heap, in whatever part it is.
 */
public final class Tally {

    /** A text may have as many doubled keys as it has keys. */
    private static final int MOST_WARNINGS = 100;

    private final Limits limits;
    private final RecentShapes shapes;
    private int documents;
    private long nodes;
    private long weight;
    private int warnings;

    public Tally(Limits limits) {
        this(limits, null);
    }

    /**
     * For the texts of one change among many.
     *
     * @param shapes the sets of keys that others had
     */
    public Tally(Limits limits, RecentShapes shapes) {
        this.limits = limits;
        this.shapes = shapes;
    }

    Limits limits() {
        return limits;
    }

    /** How many documents are complete; so the position of the one that is being read. */
    int documents() {
        return documents;
    }

    MapValue build(MapValue.Builder map) {
        return shapes == null ? map.build() : map.build(shapes);
    }

    boolean mayWarn() {
        return warnings++ < MOST_WARNINGS;
    }

    void countNodes(long more, Position position) throws UnreadableTextException {
        nodes += more;
        if (nodes > limits.change().nodes()) {
            throw position.beyond(
                    "the documents of the change have more than "
                            + limits.change().nodes() + " keys and values together, aliases written out",
                    "put them in several changes");
        }
    }

    void countDocument(long itsWeight, Position position) throws UnreadableTextException {
        if (documents >= limits.change().documents()) {
            throw position.beyond(
                    "there are more than " + limits.change().documents() + " documents", "put them in several changes");
        }
        documents++;
        weight += itsWeight;
        if (weight > limits.change().expandedBytes()) {
            throw position.beyond(
                    "the documents together take more than " + limits.change().expandedBytes() + " bytes as JSON",
                    "put them in several changes");
        }
    }

    Tally copy() {
        Tally copy = new Tally(limits);
        copy.reset(this);
        return copy;
    }

    /** What comes next is a document that was counted already, in another form: its keys and values come to those that it had. */
    void again() {
        documents--;
    }

    /** Forgets what was counted since the copy was made: the text is read again, in another way. */
    void reset(Tally copy) {
        documents = copy.documents;
        nodes = copy.nodes;
        weight = copy.weight;
        warnings = copy.warnings;
    }
}
