package dev.strake.server.state;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A list as JSON, of which one item is on the heap at a time: {@code {what…, "items": […], "next": …, origin…}}. A page ends after
 * as many items as were asked for, or earlier if it has grown large or has taken much work.
 *
 * @param wanted the page, and what it has of the list
 * @param what what it is a list of
 * @param items to the end of the revision, whatever the page; closed with the answer
 * @param whole how many items there have to be where all is read: what is missing then was lost. -1 if that is not known
 * @param enough whether the answer has taken as much work as one may, so that its page ends
 */
record Listing(
        Question question, ListRequest wanted, MapValue what, Stream<Item> items, long whole, BooleanSupplier enough)
        implements Response.Body {

    /** Beyond it a page is not easy to hold for its client. */
    private static final long PAGE_BYTES = 8 << 20;

    /**
     * An item of a list.
     *
     * @param name what it is found by again, see {@link ListRequest#after}
     * @param json null for one that was looked at, and is not wanted
     */
    record Item(List<String> name, Value json) {

        static Item passedOver(List<String> name) {
            return new Item(name, null);
        }
    }

    /** A list of which nobody knows how long it is, and whose items take little work. */
    static Listing of(Question question, ListRequest wanted, MapValue what, Stream<Item> items) {
        return new Listing(question, wanted, what, items, -1, () -> false);
    }

    /** The same list, which says one thing more of what it is a list of. */
    Listing with(String name, Value value) {
        return new Listing(question, wanted, what.with(name, value), items, whole, enough);
    }

    /** The same list, which keeps its revision open until it is closed. */
    Listing keeping(OpenRevision revision) {
        return new Listing(question, wanted, what, items.onClose(revision::close), whole, enough);
    }

    Response response() {
        Response response = Response.of(200, "application/json", this);
        // What an author read is what a change of his may expect to be the head.
        return question.request().parameter("revision").isEmpty() && what.get("revision") instanceof Num head
                ? response.with("ETag", '"' + head.literal() + '"')
                : response;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try {
            writeAll(out);
        } catch (RuntimeException e) { // the revision may be pruned, or its task move away, while a client reads
            throw Refused.of(e, question.fromStandby());
        }
    }

    private void writeAll(OutputStream out) throws IOException {
        byte[] before = JsonValues.write(what);
        out.write(before, 0, before.length - 1);
        write(out, ",\"items\":[");
        long count = 0;
        long bytes = 0;
        Item last = null;
        Iterator<Item> left = items.iterator();
        while (left.hasNext()) {
            if (isPageFull(count, bytes)) {
                write(out, "],\"next\":");
                out.write(JsonValues.write(new Text(ListRequest.cursor(last.name()))));
                writeOrigin(out);
                return;
            }
            last = left.next();
            if (last.json() != null) {
                byte[] json = JsonValues.write(question.shown().telling(last.json()));
                if (count > 0) {
                    out.write(',');
                }
                out.write(json);
                count++;
                bytes += json.length + 1;
            }
        }
        if (whole >= 0 && wanted.after().isEmpty() && count != whole) {
            throw new IllegalStateException(
                    "a revision of %d documents has %d: entries are missing in a store".formatted(whole, count));
        }
        write(out, "]");
        writeOrigin(out);
    }

    private boolean isPageFull(long count, long bytes) {
        return enough.getAsBoolean()
                || wanted.limit()
                        .map(limit -> count >= limit || (count > 0 && bytes >= PAGE_BYTES))
                        .orElse(false);
    }

    private void writeOrigin(OutputStream out) throws IOException {
        MapValue origin = question.origin();
        for (String key : origin.keys()) {
            write(out, ",\"" + key + "\":");
            out.write(JsonValues.write(origin.get(key)));
        }
        write(out, "}\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        items.close();
    }
}
