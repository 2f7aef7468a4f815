package dev.strake.serdes.text;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes values as YAML that parsers of version 1.1 and of 1.2 read as the same values. The versions disagree on plain
 * scalars such as {@code no}, {@code 0o17} and {@code 1:30}. So a text is left unquoted only if it starts with a letter
 * or a slash and is not a reserved word. Numbers keep their form, unless only one version reads them as numbers:
 * {@code 1e3} becomes {@code 1.0e+3}.
 */
public final class YamlOutput {

    private static final YAMLFactory SEPARATED = YAMLFactory.builder()
            .stringQuotingChecker(new Quoting())
            .enable(Feature.MINIMIZE_QUOTES)
            .disable(Feature.SPLIT_LINES)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .build();
    private static final YAMLFactory ALONE = SEPARATED.copy().disable(Feature.WRITE_DOC_START_MARKER);

    private YamlOutput() {}

    /** Prints one document of a stream, with {@code ---} before it. */
    public static void print(PrintWriter out, Value value) {
        document(SEPARATED, out, value);
    }

    /** Prints a stream of documents, which are formatted in parallel. */
    public static void printAll(PrintWriter out, List<? extends Value> values) {
        values.parallelStream().map(YamlOutput::text).forEachOrdered(out::print);
    }

    private static String text(Value value) {
        return text(SEPARATED, value);
    }

    /** Prints a single document, without a separator. */
    public static void printAlone(PrintWriter out, Value value) {
        document(ALONE, out, value);
    }

    /** Returns the text of a single document, without a separator. */
    public static String textAlone(Value value) {
        return text(ALONE, value);
    }

    private static String text(YAMLFactory factory, Value value) {
        StringWriter text = new StringWriter();
        document(factory, new PrintWriter(text), value);
        return text.toString();
    }

    private static void document(YAMLFactory factory, PrintWriter out, Value value) {
        try (YAMLGenerator yaml = factory.createGenerator(out)) {
            write(yaml, value);
        } catch (IOException e) {
            throw new UncheckedIOException("a writer of text in memory", e);
        }
    }

    private static void write(YAMLGenerator yaml, Value value) throws IOException {
        if (value instanceof MapValue map) {
            yaml.writeStartObject();
            for (int i = 0; i < map.size(); i++) {
                yaml.writeFieldName(map.keyAt(i));
                write(yaml, map.valueAt(i));
            }
            yaml.writeEndObject();
        } else if (value instanceof ListValue list) {
            yaml.writeStartArray();
            for (Value item : list.items()) {
                write(yaml, item);
            }
            yaml.writeEndArray();
        } else if (value instanceof Text text) {
            text(yaml, text.value());
        } else if (value instanceof Num num) {
            yaml.writeNumber(forAllReaders(num.literal()));
        } else if (value instanceof Bool bool) {
            yaml.writeBoolean(bool.value());
        } else {
            yaml.writeNull();
        }
    }

    private static void text(YAMLGenerator yaml, String text) throws IOException {
        boolean isEscaped = hasRareLineEnd(text) || beginsBlank(text);
        yaml.configure(Feature.MINIMIZE_QUOTES, !isEscaped);
        yaml.writeString(text);
        yaml.enable(Feature.MINIMIZE_QUOTES);
    }

    /* Parsers of YAML 1.2 reject block scalars that begin with an empty line longer than the indentation. */
    private static boolean beginsBlank(String text) {
        return !text.isEmpty() && text.charAt(0) <= ' ' && text.indexOf('\n') >= 0;
    }

    /* Only parsers of YAML 1.1 take these characters for line ends, and fold them in a block scalar. */
    private static boolean hasRareLineEnd(String text) {
        return text.indexOf('\u0085') >= 0 || text.indexOf('\u2028') >= 0 || text.indexOf('\u2029') >= 0;
    }

    /* Parsers of YAML 1.1 accept an exponent only after a point, and with a sign. */
    private static String forAllReaders(String literal) {
        int exponent = Math.max(literal.indexOf('e'), literal.indexOf('E'));
        if (exponent < 0) {
            return literal;
        }
        String digits = literal.substring(0, exponent);
        String power = literal.substring(exponent + 1);
        return digits
                + (digits.indexOf('.') < 0 ? ".0" : "")
                + literal.charAt(exponent)
                + (Character.isDigit(power.charAt(0)) ? "+" : "")
                + power;
    }

    /** Quotes texts that a parser could take for another value. The generator quotes special characters itself. */
    private static final class Quoting extends StringQuotingChecker {

        private static final int LONGEST_WORD = "false".length();
        private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

        @Override
        public boolean needToQuoteName(String name) {
            return isAmbiguous(name) || name.indexOf('\n') >= 0 || name.indexOf('\r') >= 0 || hasRareLineEnd(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return isAmbiguous(value);
        }

        static boolean isAmbiguous(String text) {
            return text.isEmpty()
                    || !(Character.isLetter(text.charAt(0)) || text.charAt(0) == '/')
                    || (text.length() <= LONGEST_WORD && WORDS.contains(text.toLowerCase(Locale.ROOT)));
        }
    }
}
