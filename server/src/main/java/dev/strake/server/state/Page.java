package dev.strake.server.state;

import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Which part of a list is asked for.
 *
 * @param limit the most items; empty for all
 * @param after what names the item to begin after: a document's schema, layer and name, or a bucket, or a revision; empty
 *     to begin at the first one
 */
record Page(Optional<Integer> limit, List<String> after) {

    private static final int MOST = 10_000;

    /**
     * A page as a client asks for it.
     *
     * @throws IllegalArgumentException if one of the two is not what it has to be
     */
    static Page of(Optional<String> limit, Optional<String> after) {
        Optional<Integer> items = limit.map(text -> {
            if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
                throw new IllegalArgumentException("limit has to be a whole number from 1 to " + MOST + ".");
            }
            return Integer.valueOf(text);
        });
        return new Page(items, after.map(Page::read).orElse(List.of()));
    }

    /** The part of an item's name, in a form that fits into a URL; clients pass it on as it is. */
    static String cursor(List<String> name) {
        KeyWriter writer = new KeyWriter();
        name.forEach(writer::text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(writer.bytes());
    }

    private static List<String> read(String cursor) {
        List<String> name = new ArrayList<>();
        try {
            KeyReader reader = new KeyReader(Base64.getUrlDecoder().decode(cursor));
            while (!reader.atEnd()) {
                name.add(reader.text());
            }
        } catch (IllegalArgumentException e) {
            throw unknown();
        }
        return name;
    }

    /**
     * The parts of the name to begin after, or nothing.
     *
     * @throws IllegalArgumentException if it is the name of something else
     */
    Optional<List<String>> after(int parts) {
        if (!after.isEmpty() && after.size() != parts) {
            throw unknown();
        }
        return after.isEmpty() ? Optional.empty() : Optional.of(after);
    }

    static IllegalArgumentException unknown() {
        return new IllegalArgumentException("after has to be what the answer before said in next.");
    }
}
