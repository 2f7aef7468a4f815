package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.render.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A long stream of YAML documents, cut into pieces that several threads can read. For one text.
 *
 * <p>A line that begins with {@code ---} begins a document wherever it stands in a valid stream: in a scalar or a comment it
 * would be indented. A text whose pieces cannot all be read, or that comes near a limit, is read as a whole, which says what
 * is wrong with it and where. So is a text with directives, which belong to one document.
 */
final class YamlPieces {

    /** Characters. Reading a piece takes some milliseconds, handing it to another thread some microseconds. */
    static final int LENGTH = 1 << 17;

    private static final String START = "\n---";

    private final String source;
    private final Limits limits;
    private final boolean apart;
    private final Repeated repeated;
    private final Tally together;
    private volatile boolean givenUp;

    YamlPieces(String source, Limits limits, boolean apart, Repeated repeated) {
        this.source = source;
        this.limits = limits;
        this.apart = apart;
        this.repeated = repeated;
        this.together = new Tally(limits);
    }

    /**
     * What one piece holds.
     *
     * @param text without the piece before and after
     * @param linesBefore lines of the text before it
     */
    private record Piece(String text, int linesBefore) {}

    /**
     * The documents of a text.
     *
     * @param length of a piece, at the least
     * @param tally of what was read before; counts these documents too
     * @return empty if the text has to be read as a whole; then nothing is counted
     */
    Optional<List<ReadDocument>> read(String text, int length, Workers workers, Tally tally) {
        List<Piece> pieces = cut(text, length);
        if (pieces.size() < 2) {
            return Optional.empty();
        }
        List<ReadDocument> documents = new ArrayList<>();
        workers.each(pieces, this::read).forEach(documents::addAll);
        return !givenUp && tally.add(together) ? Optional.of(documents) : Optional.empty();
    }

    private List<Piece> cut(String text, int length) {
        List<Piece> pieces = new ArrayList<>();
        if (isSpecial(text)) {
            return pieces;
        }
        int begin = 0;
        int linesBefore = 0;
        while (begin < text.length()) {
            int end = end(text, begin, length);
            String piece = text.substring(begin, end);
            pieces.add(new Piece(piece, linesBefore));
            linesBefore += count(piece, "\n");
            begin = end;
        }
        return pieces;
    }

    private static int end(String text, int begin, int length) {
        int start = text.indexOf(START, begin + length - 1);
        while (start >= 0 && !isBlank(text, start + START.length())) {
            start = text.indexOf(START, start + 1);
        }
        return start < 0 ? text.length() : start + 1;
    }

    /*
     * Texts with directives; those with perhaps more documents than the limit allows, empty ones included; and those with
     * line ends that nearly no text has, so that lines can be counted by the others. One look at each character.
     */
    private boolean isSpecial(String text) {
        long documents = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > '.' && c < '\u0080') {
                continue; // nearly always
            }
            switch (c) {
                case '%' -> {
                    if (i == 0 || text.charAt(i - 1) == '\n') {
                        return true;
                    }
                }
                case '\r' -> {
                    if (i + 1 == text.length() || text.charAt(i + 1) != '\n') {
                        return true;
                    }
                }
                case '\u0085', '\u2028', '\u2029' -> {
                    return true;
                }
                case '-', '.' -> {
                    if (i + 2 < text.length() && text.charAt(i + 1) == c && text.charAt(i + 2) == c) {
                        documents++;
                        i += 2;
                    }
                }
                default -> {
                    // It says nothing about documents or lines.
                }
            }
        }
        return documents > limits.documents();
    }

    private static int count(String text, String what) {
        int count = 0;
        for (int i = text.indexOf(what); i >= 0; i = text.indexOf(what, i + what.length())) {
            count++;
        }
        return count;
    }

    private static boolean isBlank(String text, int index) {
        return index >= text.length() || " \t\r\n".indexOf(text.charAt(index)) >= 0;
    }

    /* Several threads call this. After a mistake, or when the pieces that were read reach a limit, no more are read. */
    private List<ReadDocument> read(Piece piece) {
        if (givenUp) {
            return List.of();
        }
        try {
            Tally tally = new Tally(limits, repeated);
            List<ReadDocument> read = YamlText.read(piece.text, source, limits, apart, Lines.NONE, tally);
            if (count(tally)) {
                return read.stream()
                        .map(document -> below(piece.linesBefore, document))
                        .toList();
            }
        } catch (UnreadableTextException e) {
            // The text is read again as a whole, and says the same with the right line.
        }
        givenUp = true;
        return List.of();
    }

    private synchronized boolean count(Tally tally) {
        return together.add(tally);
    }

    private ReadDocument below(int lines, ReadDocument document) {
        Location place = document.location();
        return new ReadDocument(document.value(), new Location(source, lines + place.line(), place.column()), Map.of());
    }
}
