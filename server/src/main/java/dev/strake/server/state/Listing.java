package dev.strake.server.state;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A list as JSON, streamed with one item in memory at a time: {@code {what…, "items": […], "next": …, origin…}}. A page
 * ends after the requested number of items, or earlier if it has become large or has taken much work.
 *
 * @param wanted the filters and the page
 * @param what the members that describe the list
 * @param items from the start of the page to the end of the revision; closed with the response
 * @param whole the number of items if nothing is filtered, to detect lost entries; -1 if not known
 * @param enough whether the response has used up its work limit, which ends the page
 */
record Listing(
        Question question, ListRequest wanted, MapValue what, Stream<Item> items, long whole, BooleanSupplier enough)
        implements Response.Body {

    /** The size limit of a page, so that a client can hold it in memory. */
    private static final long PAGE_BYTES = 8 << 20;

    /**
     * An item of a list.
     *
     * @param name its names for paging, see {@link ListRequest#after}
     * @param json null for an item that the filter excludes
     */
    record Item(List<String> name, Value json) {

        static Item passedOver(List<String> name) {
            return new Item(name, null);
        }
    }

    /** Returns a list of unknown length whose items take little work. */
    static Listing of(Question question, ListRequest wanted, MapValue what, Stream<Item> items) {
        return new Listing(question, wanted, what, items, -1, () -> false);
    }

    /** Returns this list with one more member in its description. */
    Listing with(String name, Value value) {
        return new Listing(question, wanted, what.with(name, value), items, whole, enough);
    }

    /** Returns this list, which keeps its revision open until closed. */
    Listing keeping(OpenRevision revision) {
        return new Listing(question, wanted, what, items.onClose(revision::close), whole, enough);
    }

    Response response() {
        Response response = Response.of(200, "application/json", this);
        if (question.request().parameter("revision").isPresent() || !(what.get("revision") instanceof Num head)) {
            return response;
        }
        // The ETag is the head that the client read, for If-Match in its next change.
        String tag = '"' + head.literal() + '"';
        if (question.request().header("If-None-Match").orElse("").contains(tag)) {
            close();
            response = Response.empty(304);
        }
        return response.with("ETag", tag);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try {
            writeAll(out);
        } catch (RuntimeException e) { // the revision may be pruned, or its task may move, while a client reads
            throw Refused.of(e, question.fromStandby());
        }
    }

    private void writeAll(OutputStream out) throws IOException {
        byte[] before = JsonBytes.of(what);
        out.write(before, 0, before.length - 1);
        write(out, ",\"items\":[");
        long count = 0;
        long bytes = 0;
        Item last = null;
        Iterator<Item> left = items.iterator();
        while (left.hasNext()) {
            if (isPageFull(count, bytes)) {
                write(out, "],\"next\":");
                out.write(JsonBytes.of(new Text(ListRequest.cursor(last.name()))));
                writeOrigin(out);
                return;
            }
            last = left.next();
            if (last.json() != null) {
                byte[] json = JsonBytes.of(question.shown().telling(last.json()));
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
            out.write(JsonBytes.of(origin.get(key)));
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
