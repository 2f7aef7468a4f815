package dev.strake.cli.output;

import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Collects the YAML of one document, in which most texts do not pass through the emitter.
 *
 * <p>SnakeYAML's emitter looks at each character of a text several times to find out which style can carry it. That is most of
 * the work of printing. Of nearly all texts one short look says the same: they are printable ASCII and mean nothing to YAML.
 * For such a text the emitter gets a stand-in of one letter, in the same style. Where it writes the stand-in, this writer
 * writes the text. The rest of a document does not depend on how long its texts are: lines are not split.
 */
class StandIns extends Writer {

    /* Told apart from a text of the same letter by which object they are, never by what they say. */
    private static final String PLAIN = String.valueOf(new char[] {'x'});
    private static final String QUOTED = String.valueOf(new char[] {'x'});

    /** Bits of {@link #KINDS}. */
    private static final byte IN_PLAIN = 1;

    private static final byte IN_QUOTES = 2;

    /** In which styles each character of ASCII is written as it is, wherever it stands behind a letter. */
    private static final byte[] KINDS = kinds();

    private final StringBuilder text = new StringBuilder(1 << 12);
    private final Queue<String> waiting = new ArrayDeque<>();

    private static byte[] kinds() {
        byte[] kinds = new byte[128];
        for (char c = ' '; c <= '~'; c++) {
            boolean isPlain = c != ' ' && c != ':';
            boolean isQuoted = c != '"' && c != '\\';
            kinds[c] = (byte) ((isPlain ? IN_PLAIN : 0) | (isQuoted ? IN_QUOTES : 0));
        }
        return kinds;
    }

    /** What to give to the generator: a stand-in if one will do, or else the text. */
    String standInFor(String value) {
        boolean isPlain = !YamlOutput.isAmbiguous(value);
        if (value.isEmpty() || !isWrittenAsItIs(value, isPlain ? IN_PLAIN : IN_QUOTES)) {
            return value;
        }
        waiting.add(value);
        return isPlain ? PLAIN : QUOTED;
    }

    /* A colon inside of a word means nothing, nor does a space between words, but between them could be more. */
    private static boolean isWrittenAsItIs(String value, byte style) {
        int last = value.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = value.charAt(i);
            if (c >= KINDS.length || (KINDS[c] & style) == 0) {
                boolean isInside = i > 0 && i < last;
                boolean isWordsOwn = c == ':' && isInside && value.charAt(i + 1) != ' ';
                boolean isBetweenWords = c == ' ' && isInside && value.charAt(i + 1) != '#';
                if (style != IN_PLAIN || !(isWordsOwn || isBetweenWords)) {
                    return false;
                }
            }
        }
        return true;
    }

    static boolean isOne(String given) {
        return isSame(given, PLAIN) || isSame(given, QUOTED);
    }

    static boolean isQuoted(String standIn) {
        return isSame(standIn, QUOTED);
    }

    @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // what it says, any text may say
    private static boolean isSame(String one, String other) {
        return one == other;
    }

    @Override
    public void write(String written, int from, int length) {
        if (isOne(written)) {
            text.append(waiting.remove());
        } else if (length == written.length()) {
            text.append(written);
        } else {
            text.append(written, from, from + length);
        }
    }

    @Override
    public void write(char[] written, int from, int length) {
        text.append(written, from, length);
    }

    @Override
    public void flush() {
        // It is all in memory.
    }

    @Override
    public void close() {
        // Nothing to give back.
    }

    /** The text of the document. */
    @Override
    public String toString() {
        return text.toString();
    }
}
