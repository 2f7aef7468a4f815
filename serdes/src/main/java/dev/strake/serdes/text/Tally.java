package dev.strake.serdes.text;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;

/**
 * What the documents of a change have together, in all texts that were read so far. It is counted while a text is read:
 * a limit of the whole change holds before the value that exceeds it takes its place on the heap, in whatever part it is.
 */
public final class Tally {

    /** For fewer keys and values, finding those that are repeated costs more than it saves. */
    private static final int MANY = 10_000;

    private final Limits limits;
    private final RecentShapes shapes;
    private Repeated repeated;
    private int documents;
    private long nodes;
    private long weight;

    public Tally(Limits limits) {
        this(limits, null, null);
    }

    /**
     * For the texts of one change among many.
     *
     * @param shapes the sets of keys that other changes had
     */
    public Tally(Limits limits, RecentShapes shapes) {
        this(limits, shapes, null);
    }

    /**
     * For one of many texts that are counted apart.
     *
     * @param repeated what is repeated in all of them; null if there is only this one
     */
    Tally(Limits limits, Repeated repeated) {
        this(limits, null, repeated);
    }

    private Tally(Limits limits, RecentShapes shapes, Repeated repeated) {
        this.limits = limits;
        this.shapes = shapes;
        this.repeated = repeated;
    }

    /** How many documents are complete; so the position of the one that is being read. */
    int documents() {
        return documents;
    }

    /** Texts that come again and again; null while there are only a few texts at all. */
    Repeated repeated() {
        return repeated;
    }

    MapValue build(MapValue.Builder map) {
        return repeated != null ? repeated.build(map) : shapes != null ? map.build(shapes) : map.build();
    }

    void countNodes(long more, Position position) throws UnreadableTextException {
        nodes += more;
        if (repeated == null && nodes > MANY) {
            repeated = new Repeated();
        }
        if (nodes > limits.changeNodes()) {
            throw position.beyond(
                    "the documents of the change have more than " + limits.changeNodes()
                            + " keys and values together (strake.limits.change-nodes), aliases written out",
                    "put them in several changes");
        }
    }

    void countDocument(long itsWeight, Position position) throws UnreadableTextException {
        if (documents >= limits.documents()) {
            throw position.beyond(
                    "there are more than " + limits.documents() + " documents", "put them in several changes");
        }
        documents++;
        weight += itsWeight;
        if (weight > limits.expandedBytes()) {
            throw position.beyond(
                    "the documents together take more than " + limits.expandedBytes() + " bytes as JSON",
                    "put them in several changes");
        }
    }

    /** Adds what was counted elsewhere. False if that is more than the limits allow; then nothing is added. */
    boolean add(Tally other) {
        if (nodes + other.nodes > limits.changeNodes()
                || documents + other.documents > limits.documents()
                || weight + other.weight > limits.expandedBytes()) {
            return false;
        }
        nodes += other.nodes;
        documents += other.documents;
        weight += other.weight;
        return true;
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
    }
}
