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

    /* No pieces if there are directives, or perhaps more documents than the limit allows, empty ones included. */
    private List<Piece> cut(String text, int length) {
        List<Piece> pieces = new ArrayList<>();
        int lines = 0;
        int linesBefore = 0;
        int begin = 0;
        int documents = 1;
        for (int i = 0; i < text.length(); i++) {
            char next = i + 1 < text.length() ? text.charAt(i + 1) : '\0';
            if (!YamlSource.endsLine(text.charAt(i), next)) {
                continue;
            }
            lines++;
            if (next == '%') {
                return List.of();
            }
            boolean isStart = text.startsWith("---", i + 1);
            if ((isStart || text.startsWith("...", i + 1)) && ++documents > limits.documents()) {
                return List.of();
            }
            if (isStart && text.charAt(i) == '\n' && isBlank(text, i + 4) && i + 1 - begin >= length) {
                pieces.add(new Piece(text.substring(begin, i + 1), linesBefore));
                begin = i + 1;
                linesBefore = lines;
            }
        }
        pieces.add(new Piece(text.substring(begin), linesBefore));
        return text.startsWith("%") ? List.of() : pieces;
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
