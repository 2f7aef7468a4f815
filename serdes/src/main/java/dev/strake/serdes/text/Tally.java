package dev.strake.serdes.text;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;

/**
 * Counts what the documents of a change contain together, in all parts read so far. Counting takes place while a text
 * is read. So a limit of the whole change applies before the value that exceeds it is allocated, in any part.
 */
public final class Tally {

    /** Limits the warnings, because every key of a text may be repeated. */
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
     * Creates a tally for one of many changes.
     *
     * @param shapes the sets of keys of other changes, which this change shares
     */
    public Tally(Limits limits, RecentShapes shapes) {
        this.limits = limits;
        this.shapes = shapes;
    }

    Limits limits() {
        return limits;
    }

    /** The number of complete documents, which is the position of the document that is being read. */
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
                            + limits.change().nodes() + " keys and values in all, with aliases expanded",
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

    /** Prepares to read the last document again, in another form. Its new nodes count in addition to the old ones. */
    void again() {
        documents--;
    }

    /** Restores the counts of a copy, because the text is read again in another way. */
    void reset(Tally copy) {
        documents = copy.documents;
        nodes = copy.nodes;
        weight = copy.weight;
        warnings = copy.warnings;
    }
}
