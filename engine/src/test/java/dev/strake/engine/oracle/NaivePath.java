package dev.strake.engine.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Paths of BOSH operations, split into pieces. */
final class NaivePath {

    private static final Set<String> MOVES = Set.of("prev", "next", "before", "after");
    private static final int MOST_PIECES = 256;

    private NaivePath() {}

    enum Kind {
        KEY,
        INDEX,
        MATCH,
        END
    }

    /**
     * A piece between two slashes.
     *
     * @param text the key, the digits of the index, or the key of the match
     * @param value the value of a match; null for other kinds
     * @param moves the moves from the item that was found
     */
    record Piece(Kind kind, String text, String value, boolean optional, List<String> moves) {}

    /** Parses a path into its pieces; null if the path is invalid. */
    static List<Piece> of(String path) {
        List<Piece> result = new ArrayList<>();
        if (path.isEmpty()) {
            return result;
        }
        String[] pieces = path.split("/", -1);
        if (!pieces[0].isEmpty() || pieces.length - 1 > MOST_PIECES) {
            return null;
        }
        boolean optional = false;
        for (int i = 1; i < pieces.length; i++) {
            Piece piece = piece(pieces[i], i == pieces.length - 1, optional);
            if (piece == null) {
                return null;
            }
            optional = piece.optional() || optional;
            result.add(piece);
        }
        return result;
    }

    private static Piece piece(String written, boolean last, boolean optionalBefore) {
        String[] words = written.split(":", -1);
        List<String> moves = Arrays.asList(words).subList(1, words.length);
        String text = unescaped(words[0]);
        Piece piece;
        boolean mayMove = false;
        if (last && text.equals("-")) {
            piece = new Piece(Kind.END, "", null, false, moves);
        } else if (isIndex(text)) {
            piece = new Piece(Kind.INDEX, text, null, false, moves);
            mayMove = true;
        } else {
            boolean marked = text.endsWith("?");
            String bare = marked ? text.substring(0, text.length() - 1) : text;
            boolean optional = marked || optionalBefore;
            int equals = bare.indexOf('=');
            mayMove = equals >= 0;
            piece = mayMove
                    ? new Piece(Kind.MATCH, bare.substring(0, equals), bare.substring(equals + 1), optional, moves)
                    : new Piece(Kind.KEY, bare, null, optional, moves);
        }
        return moves.isEmpty() || (mayMove && MOVES.containsAll(moves)) ? piece : null;
    }

    private static boolean isIndex(String text) {
        if (!text.matches("[-+]?[0-9]+")) {
            return false;
        }
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false; // a longer number is a key
        }
    }

    /* Unescapes in one pass from left to right, so that ~01 is ~1. */
    private static String unescaped(String text) {
        StringBuilder result = new StringBuilder();
        String rest = text;
        while (!rest.isEmpty()) {
            int taken = 2;
            if (rest.startsWith("~0")) {
                result.append('~');
            } else if (rest.startsWith("~1")) {
                result.append('/');
            } else if (rest.startsWith("~7")) {
                result.append(':');
            } else {
                result.append(rest.charAt(0));
                taken = 1;
            }
            rest = rest.substring(taken);
        }
        return result.toString();
    }
}
