package dev.strake.serdes.text;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** What SnakeYAML's parser says of a text: its events with their places, or its complaint. */
final class ParserSays {

    private final List<String> said = new ArrayList<>();
    private int leftOut;

    private ParserSays() {}

    /** With SnakeYAML's own reader. */
    static ParserSays ofOriginal(String text) {
        ParserSays says = new ParserSays();
        says.read(new StreamReader(text));
        return says;
    }

    /** With ours. What it leaves out of the text is put in again. */
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

    /** How many collections were put in again. */
    int leftOut() {
        return leftOut;
    }

    private void read(StreamReader reader) {
        try {
            ParserImpl parser = new ParserImpl(reader, new LoaderOptions());
            for (Event event; (event = parser.getEvent()) != null; ) {
                String value = event instanceof ScalarEvent scalar ? value(scalar.getValue(), scalar.isPlain()) : "";
                said.add(event.getEventId() + at(event.getStartMark()) + at(event.getEndMark()) + value);
                if (reader instanceof YamlSource ours
                        && event instanceof CollectionStartEvent start
                        && start.isFlow()) {
                    putIn(ours, start.getEndMark());
                }
            }
        } catch (MarkedYAMLException e) {
            said.add(e.getProblem() + at(e.getProblemMark()) + at(e.getContextMark()));
        } catch (YAMLException e) { // a mistake of the scanner itself
            said.add(e.getMessage());
        } catch (UnreadableTextException e) {
            throw new AssertionError(e); // what reads along refuses nothing
        }
    }

    private void putIn(YamlSource ours, Mark begun) throws UnreadableTextException {
        FlowText simple = ours.takeSimple(begun.getIndex() - 1);
        if (simple == null) {
            return;
        }
        leftOut++;
        List<Boolean> maps = new ArrayList<>();
        simple.read(
                new FlowText.Reader() {
                    @Override
                    public void begin(boolean isMap) {
                        maps.add(isMap);
                        say(isMap ? Event.ID.MappingStart : Event.ID.SequenceStart, 1, "");
                    }

                    @Override
                    public void key(String text, boolean isPlain) {
                        scalar(text, isPlain);
                    }

                    @Override
                    public void scalar(String text, boolean isPlain) {
                        say(Event.ID.Scalar, text.length() + (isPlain ? 0 : 2), value(text, isPlain));
                    }

                    @Override
                    public void end() {
                        say(maps.remove(maps.size() - 1) ? Event.ID.MappingEnd : Event.ID.SequenceEnd, 1, "");
                    }

                    private void say(Event.ID id, int length, String value) {
                        int line = simple.line() - 1;
                        int column = simple.column() - 1;
                        said.add(id + at(line, column) + at(line, column + length) + value);
                    }
                },
                begun.getLine(),
                begun.getColumn() - 1);
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
