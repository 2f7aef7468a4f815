package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Builds trees from the events of a parser. Nodes and bytes are counted while building, so that limits apply before
 * memory is spent. An explicit stack keeps nested texts from exhausting the thread's stack.
 */
final class TreeBuilder {

    /** Longer paths are not remembered: each path contains all keys above it, and keys can be long. */
    private static final int LONGEST_PATH = 1_000;

    private final Limits limits;
    private final Dialect dialect;
    private final Position position;
    private final boolean apart;
    private final Lines remembered;
    private final Tally tally;
    private final List<ReadDocument> documents = new ArrayList<>();
    private final Deque<Frame> frames = new ArrayDeque<>();
    private Map<String, Location> places = Map.of();
    private List<Problem> warnings = List.of();
    private boolean remembersLines;
    private Location begin;
    private long nodes;
    private long weight;

    /** An incomplete mapping or list. */
    private static final class Frame {
        private final MapValue.Builder map;
        private final List<Value> items;
        private final List<MapValue> merged = new ArrayList<>(0);
        private final String path;
        private final boolean apart;
        private final long nodesBefore;
        private String key;
        private boolean merging;
        private long mergePlace = -1; // position of the last merge key
        private long[] keyPlaces = {};
        private boolean isNew;

        Frame(boolean isMap, String path, boolean apart, long nodesBefore) {
            this.map = isMap ? MapValue.builder() : null;
            this.items = isMap || apart ? null : new ArrayList<>();
            this.path = path;
            this.apart = apart;
            this.nodesBefore = nodesBefore;
        }
    }

    /**
     * @param dialect the rules for merge keys; go-yaml does not warn about repeated keys
     * @param apart whether a list at the root is split into documents, each with its own limits
     * @param remembered the paths whose lines are kept
     * @param tally counts the content of all texts of a change
     */
    TreeBuilder(Dialect dialect, Position position, boolean apart, Lines remembered, Tally tally) {
        this.limits = tally.limits();
        this.dialect = dialect;
        this.position = position;
        this.apart = apart;
        this.remembered = remembered;
        this.tally = tally;
    }

    List<ReadDocument> documents() {
        return documents;
    }

    /** Whether the next event has to be a key or the end of a mapping. */
    boolean expectsKey() {
        Frame top = frames.peek();
        return top != null && top.map != null && top.key == null && !top.merging;
    }

    /** Whether the next value is a separate document. */
    boolean isBetweenDocuments() {
        return frames.isEmpty();
    }

    void beginMap() throws UnreadableTextException {
        begin(true);
    }

    void beginList() throws UnreadableTextException {
        begin(false);
    }

    private void begin(boolean isMap) throws UnreadableTextException {
        String path = startValue();
        boolean takenApart = apart && !isMap && frames.isEmpty();
        count(1, 2);
        frames.push(new Frame(isMap, path, takenApart, nodes - 1));
        checkDepth(0);
    }

    void key(String key) throws UnreadableTextException {
        Frame top = frames.element();
        checkPairs(key);
        count(1, key.length() + 3L);
        top.key = key;
        if (dialect != Dialect.GO) {
            warnOfDoubled(top);
        }
        if (remembersLines && top.path != null) {
            remember(join(top.path, "." + key));
        }
    }

    /** A key {@code <<}: merges the entries of the next mapping or mappings into this one. */
    void mergeKey() throws UnreadableTextException {
        Frame top = frames.element();
        count(1, 0);
        top.merging = true;
        if (dialect != Dialect.GO) {
            if (top.mergePlace >= 0) {
                warn(top.mergePlace);
            }
            top.mergePlace = position.mark();
        }
    }

    private void warnOfDoubled(Frame top) {
        int index = top.map.indexOf(top.key);
        top.isNew = index < 0;
        if (!top.isNew) {
            warn(top.keyPlaces[index]);
        } else {
            index = top.map.size();
            if (index == top.keyPlaces.length) {
                top.keyPlaces = Arrays.copyOf(top.keyPlaces, Math.max(8, 2 * index));
            }
        }
        top.keyPlaces[index] = position.mark();
    }

    private void warn(long before) {
        if (tally.mayWarn()) {
            warnings = warnings.isEmpty() ? new ArrayList<>() : warnings;
            warnings.add(Problem.of(
                            ProblemCode.DUPLICATE_KEY,
                            "the mapping has this key twice: the value at line %d, column %d replaces that at line %d, column %d"
                                    .formatted(
                                            position.line(), position.column(), before >> Integer.SIZE, (int) before),
                            "remove one of the two")
                    .at(currentPath())
                    .at(position.location()));
        }
    }

    /* Returns null if the path exceeds the length for problems. */
    private String currentPath() {
        StringBuilder path = new StringBuilder();
        for (Iterator<Frame> outermostFirst = frames.descendingIterator(); outermostFirst.hasNext(); ) {
            Frame frame = outermostFirst.next();
            if (!frame.apart) {
                path.append(
                        frame.map == null ? "[" + frame.items.size() + "]" : "." + (frame.merging ? "<<" : frame.key));
            }
            if (path.length() > LONGEST_PATH) {
                return null;
            }
        }
        return path.toString();
    }

    void scalar(Value value) throws UnreadableTextException {
        startValue();
        count(1, value.weight());
        if (value instanceof Text text && text.weight() > text.value().length() + 2L) { // otherwise it is ASCII
            checkPairs(text.value());
        }
        add(value);
    }

    private void checkPairs(String text) throws UnreadableTextException {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw position.invalid(
                        "the text contains half a surrogate pair, which UTF-8 cannot encode",
                        "escape the character as a pair or write it as it is");
            }
        }
    }

    /** Adds a complete value again. The value counts as if it were written out. */
    void repeat(Value value, long itsNodes) throws UnreadableTextException {
        startValue();
        count(itsNodes, value.weight());
        checkDepth(value.depth());
        add(value);
    }

    /** Completes the innermost mapping or list. */
    Value end() throws UnreadableTextException {
        Frame frame = frames.pop();
        if (frame.apart) {
            return ListValue.EMPTY; // each item has become a document
        }
        Value value = frame.map == null ? ListValue.of(frame.items) : map(frame);
        add(value);
        return value;
    }

    /** The number of nodes of the innermost mapping or list so far, including itself. */
    long nodesSinceBegin() {
        return nodes - frames.element().nodesBefore;
    }

    /* Builds a mapping in PyYAML's order: merged mappings first; entries of the mapping itself override them. */
    private MapValue map(Frame frame) {
        MapValue own = tally.build(frame.map);
        if (frame.merged.isEmpty()) {
            return own;
        }
        MapValue.Builder all = MapValue.builder();
        frame.merged.forEach(merged -> merged.forEach(all::put));
        own.forEach(all::put);
        return tally.build(all);
    }

    private void add(Value value) throws UnreadableTextException {
        Frame top = frames.peek();
        if (top == null || top.apart) {
            finishDocument(value);
        } else if (top.merging) {
            merge(top, value);
        } else if (top.map != null) {
            if (top.isNew) {
                top.map.add(top.key, value);
            } else {
                top.map.put(top.key, value);
            }
            top.key = null;
        } else {
            top.items.add(value);
        }
    }

    private void merge(Frame top, Value value) throws UnreadableTextException {
        List<Value> sources = value instanceof ListValue list ? list.items() : List.of(value);
        for (int i = sources.size() - 1; i >= 0; i--) { // the first of a list wins, so it comes last
            Value source = sources.get(i);
            if (!(source instanceof MapValue map)) {
                throw position.invalid(
                        "a merge key needs a mapping or a list of mappings, but finds " + source.kindWithArticle(),
                        "quote << to use it as a plain key");
            }
            top.merged.add(map);
        }
        top.merging = false;
        if (dialect == Dialect.GO) {
            // At the position of the merge key, merged entries override all entries above it.
            top.merged.forEach(merged -> merged.forEach(top.map::put));
            top.merged.clear();
        }
    }

    /* Records where a value starts. Returns its path, or null if its location is not remembered. */
    private String startValue() throws UnreadableTextException {
        Frame top = frames.peek();
        if (top == null || top.apart) {
            begin = position.location();
            remembersLines = remembered.isOf(tally.documents());
            places = remembersLines ? new HashMap<>() : Map.of();
            return "";
        }
        if (!remembersLines || top.path == null || top.merging) {
            return null; // another entry or an alias may override merged ones
        }
        if (top.map != null) {
            return join(top.path, "." + top.key);
        }
        return remember(join(top.path, "[" + top.items.size() + "]"));
    }

    private String join(String path, String step) {
        if (path.length() + step.length() > LONGEST_PATH) {
            return null;
        }
        String joined = path + step;
        return remembered.isOf(tally.documents(), joined) ? joined : null;
    }

    private String remember(String path) {
        if (path != null) {
            places.put(path, position.location());
        }
        return path;
    }

    private void finishDocument(Value value) throws UnreadableTextException {
        checkWeight(value.weight());
        tally.countDocument(value.weight(), position);
        documents.add(new ReadDocument(value, begin, places, warnings));
        warnings = List.of();
        nodes = 0;
        weight = 0;
    }

    private void checkDepth(int below) throws UnreadableTextException {
        Frame outermost = frames.peekLast();
        int depth = frames.size() + below - (outermost != null && outermost.apart ? 1 : 0);
        if (depth > limits.document().depth()) {
            throw position.beyond(
                    "mappings and lists are nested more than "
                            + limits.document().depth() + " levels deep",
                    "flatten the document");
        }
    }

    private void count(long moreNodes, long moreWeight) throws UnreadableTextException {
        nodes += moreNodes;
        weight += moreWeight;
        if (nodes > limits.document().nodes()) {
            throw position.beyond(
                    "the document has more than " + limits.document().nodes()
                            + " keys and values, with aliases expanded",
                    "split the document, or use fewer aliases");
        }
        tally.countNodes(moreNodes, position);
        checkWeight(weight);
    }

    private void checkWeight(long bytes) throws UnreadableTextException {
        if (bytes > limits.document().bytes()) {
            throw position.beyond(
                    "the document takes more than " + limits.document().bytes()
                            + " bytes as JSON, with aliases expanded",
                    "split the document");
        }
    }
}
