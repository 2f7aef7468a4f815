package dev.strake.serdes.text;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** The output of SnakeYAML's parser for a text: events with their positions, or an error. */
final class ParserSays {

    private final List<String> said = new ArrayList<>();

    private ParserSays() {}

    /** Uses SnakeYAML's own reader. */
    static ParserSays ofOriginal(String text) {
        ParserSays says = new ParserSays();
        says.read(new StreamReader(text));
        return says;
    }

    /** Uses Strake's reader. */
    static ParserSays of(String text, Dialect dialect) {
        ParserSays says = new ParserSays();
        try {
            says.read(new YamlSource(text, "f", dialect));
        } catch (UnreadableTextException e) {
            throw new AssertionError(e);
        }
        return says;
    }

    List<String> said() {
        return said;
    }

    private void read(StreamReader reader) {
        try {
            ParserImpl parser = new ParserImpl(reader, new LoaderOptions());
            for (Event event; (event = parser.getEvent()) != null; ) {
                String value = event instanceof ScalarEvent scalar ? value(scalar.getValue(), scalar.isPlain()) : "";
                said.add(event.getEventId() + at(event.getStartMark()) + at(event.getEndMark()) + value);
            }
        } catch (MarkedYAMLException e) {
            said.add(e.getProblem() + at(e.getProblemMark()) + at(e.getContextMark()));
        } catch (YAMLException e) { // a bug of the scanner itself
            said.add(e.getMessage());
        }
    }

    private static String value(String text, boolean isPlain) {
        return (isPlain ? " plain " : " quoted ") + text;
    }

    private static String at(Mark mark) {
        return mark == null ? "" : at(mark.getLine(), mark.getColumn());
    }

    private static String at(int line, int column) {
        return " " + line + ":" + column;
    }
}
