package dev.strake.server.state;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Response;
import dev.strake.server.state.Answer.Item;
import dev.strake.server.state.Answer.Listing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.function.Function;

/**
 * Writes a list as JSON, item by item: {@code {what…, "items": […], "next": …, origin…}}. A page ends after as many items as
 * were asked for, or earlier if it has grown large or has taken much work.
 */
final class ListingBody implements Response.Body {

    private static final int PIECE_BYTES = 16 << 10;

    /** Items that are looked at for a piece, wanted or not: other answers have their turns. */
    private static final int PIECE_ITEMS = 500;

    /** Beyond it a page is not easy to hold for its client. */
    private static final long PAGE_BYTES = 8 << 20;

    private final Listing listing;
    private final Function<RuntimeException, IOException> failures;
    private final Iterator<Item> items;
    private final ByteArrayOutputStream first = new ByteArrayOutputStream();
    private final boolean firstIsAll;
    private boolean begun;
    private long count;
    private long bytes;
    private Item last;

    /**
     * Makes the first piece, so that what fails at the beginning fails here.
     *
     * @param listing closed with the body
     * @param failures what to throw instead where reading on fails; it may throw as well
     */
    ListingBody(Listing listing, Function<RuntimeException, IOException> failures) {
        this.listing = listing;
        this.failures = failures;
        this.items = listing.items().iterator();
        try {
            byte[] what = JsonValues.write(listing.what());
            first.write(what, 0, what.length - 1);
            write(first, ",\"items\":[");
            firstIsAll = !writeItems(first);
        } catch (IOException e) {
            throw new IllegalStateException("in memory", e);
        }
    }

    @Override
    public boolean writeSome(OutputStream out) throws IOException {
        if (!begun) {
            begun = true;
            first.writeTo(out);
            first.reset();
            return !firstIsAll;
        }
        try {
            return writeItems(out);
        } catch (RuntimeException e) {
            throw failures.apply(e);
        }
    }

    @Override
    public void close() {
        listing.close();
    }

    private boolean writeItems(OutputStream out) throws IOException {
        long piece = 0;
        for (int looked = 0; piece < PIECE_BYTES && looked < PIECE_ITEMS; looked++) {
            if (!items.hasNext()) {
                writeEnd(out);
                return false;
            }
            if (isPageFull()) {
                write(out, "],\"next\":");
                out.write(JsonValues.write(new Text(Page.cursor(last.name()))));
                writeOrigin(out);
                return false;
            }
            last = items.next();
            if (last.json() == null) {
                continue;
            }
            byte[] json = JsonValues.write(last.json());
            if (count > 0) {
                out.write(',');
            }
            out.write(json);
            count++;
            piece += json.length + 1;
            bytes += json.length + 1;
        }
        return true;
    }

    private boolean isPageFull() {
        return listing.enough().getAsBoolean()
                || (listing.page().limit().isPresent()
                        && (count >= listing.page().limit().get() || (count > 0 && bytes >= PAGE_BYTES)));
    }

    private void writeEnd(OutputStream out) throws IOException {
        if (listing.whole() >= 0 && count != listing.whole()) {
            throw new IllegalStateException("a revision of %d documents has %d: entries are missing in a store"
                    .formatted(listing.whole(), count));
        }
        write(out, "]");
        writeOrigin(out);
    }

    private void writeOrigin(OutputStream out) throws IOException {
        MapValue origin = listing.origin();
        for (String key : origin.keys()) {
            write(out, ",\"" + key + "\":");
            out.write(JsonValues.write(origin.get(key)));
        }
        write(out, "}\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
