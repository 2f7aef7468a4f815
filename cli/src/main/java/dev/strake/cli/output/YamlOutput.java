package dev.strake.cli.output;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * Writes values as YAML that reads back as the same values, by readers of version 1.1 and of 1.2 alike. They disagree
 * on what a plain {@code no}, {@code 0o17} or {@code 1:30} is, so a text is written without quotes only if it starts with a
 * letter and is none of the words that mean something. Numbers stand as they were written, with a tag where version 1.1
 * would not take them for numbers.
 */
public final class YamlOutput {

    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");
    private static final String FLOAT = "tag:yaml.org,2002:float";
    private static final ImplicitTuple NO_TAG = new ImplicitTuple(true, true);

    private final Emitter emitter;

    private YamlOutput(PrintWriter out) {
        DumperOptions options = new DumperOptions();
        options.setSplitLines(false);
        options.setAllowUnicode(true);
        this.emitter = new Emitter(out, options);
    }

    /** Prints one document of a stream, {@code ---} before it. */
    public static void print(PrintWriter out, Value value) {
        new YamlOutput(out).document(value, true);
    }

    /** Prints a document that stays alone, nothing before it. */
    public static void printAlone(PrintWriter out, Value value) {
        new YamlOutput(out).document(value, false);
    }

    private void document(Value value, boolean separated) {
        emit(new StreamStartEvent(null, null));
        emit(new DocumentStartEvent(null, null, separated, null, Map.of()));
        value(value);
        emit(new DocumentEndEvent(null, null, false));
        emit(new StreamEndEvent(null, null));
    }

    private void value(Value value) {
        if (value instanceof MapValue map) {
            emit(new MappingStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
            map.forEach((key, item) -> {
                text(key);
                value(item);
            });
            emit(new MappingEndEvent(null, null));
        } else if (value instanceof ListValue list) {
            emit(new SequenceStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
            list.items().forEach(this::value);
            emit(new SequenceEndEvent(null, null));
        } else if (value instanceof Text text) {
            text(text.value());
        } else if (value instanceof Num num) {
            number(num.literal());
        } else if (value instanceof Bool bool) {
            scalar(bool.value() ? "true" : "false", ScalarStyle.PLAIN);
        } else {
            scalar("null", ScalarStyle.PLAIN);
        }
    }

    private void text(String text) {
        if (text.indexOf('\u0085') >= 0 || text.indexOf('\u2028') >= 0 || text.indexOf('\u2029') >= 0) {
            scalar(text, ScalarStyle.DOUBLE_QUOTED); // line ends to YAML 1.1, folded into blanks unless escaped
        } else if (text.indexOf('\n') >= 0) {
            scalar(text, ScalarStyle.LITERAL);
        } else {
            scalar(text, isSafePlain(text) ? ScalarStyle.PLAIN : ScalarStyle.SINGLE_QUOTED);
        }
    }

    /* Whether the characters allow it is for the emitter to see; this is about what a reader would make of it. */
    private static boolean isSafePlain(String text) {
        return !text.isEmpty()
                && (Character.isLetter(text.charAt(0)) || text.charAt(0) == '/')
                && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    }

    private void number(String literal) {
        int exponent = Math.max(literal.indexOf('e'), literal.indexOf('E'));
        boolean plain = exponent < 0 || (literal.indexOf('.') >= 0 && !Character.isDigit(literal.charAt(exponent + 1)));
        if (plain) {
            scalar(literal, ScalarStyle.PLAIN);
        } else {
            // 1e3 is text to a reader of version 1.1 unless told otherwise.
            ImplicitTuple tagged = new ImplicitTuple(false, false);
            emit(new ScalarEvent(null, FLOAT, tagged, literal, null, null, ScalarStyle.PLAIN));
        }
    }

    private void scalar(String text, ScalarStyle style) {
        emit(new ScalarEvent(null, null, NO_TAG, text, null, null, style));
    }

    private void emit(Event event) {
        try {
            emitter.emit(event);
        } catch (IOException e) {
            throw new UncheckedIOException("a print writer keeps its errors to itself", e);
        }
    }
}
