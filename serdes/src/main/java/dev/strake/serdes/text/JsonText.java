package dev.strake.serdes.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import java.io.IOException;
import java.util.List;

/**
 * Reads one JSON text: comments, or tokens after its end, are errors. Numbers keep their form. If a key is repeated,
 * the last one wins, with a warning, as in YAML. A strict caller rejects a text with such a warning once all of the
 * text is known to be JSON.
 */
final class JsonText implements Position {

    private final String source;
    private final JsonParser parser;
    private final TreeBuilder tree;

    private JsonText(JsonParser parser, String source, boolean apart, Lines lines, Tally tally) {
        this.source = source;
        this.parser = parser;
        this.tree = new TreeBuilder(Dialect.PYTHON, this, apart, lines, tally);
    }

    static List<ReadDocument> read(String text, String source, boolean apart, Lines lines, Tally tally)
            throws UnreadableTextException {
        try (JsonParser parser = JsonReader.OF_AUTHORS.createParser(text)) {
            return new JsonText(parser, source, apart, lines, tally).readAll();
        } catch (IOException e) {
            throw new IllegalStateException("reading a text in memory cannot fail", e);
        }
    }

    private List<ReadDocument> readAll() throws IOException, UnreadableTextException {
        try {
            int depth = 0;
            boolean complete = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (complete) {
                    throw invalid(
                            "the text continues after the end of the JSON value",
                            "put several documents into an array");
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                handle(token);
                complete = depth == 0;
            }
            return tree.documents();
        } catch (JsonProcessingException e) {
            throw mistake(e);
        }
    }

    private void handle(JsonToken token) throws IOException, UnreadableTextException {
        switch (token) {
            case START_OBJECT -> tree.beginMap();
            case START_ARRAY -> tree.beginList();
            case END_OBJECT, END_ARRAY -> tree.end();
            case FIELD_NAME -> tree.key(parser.currentName());
            case VALUE_STRING -> tree.scalar(new Text(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> tree.scalar(Num.ofLiteral(parser.getText()));
            case VALUE_TRUE -> tree.scalar(Bool.TRUE);
            case VALUE_FALSE -> tree.scalar(Bool.FALSE);
            case VALUE_NULL -> tree.scalar(Null.NULL);
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("unexpected token of a JSON text");
        }
    }

    /* Jackson's messages quote the text, so they are not used. */
    private UnreadableTextException mistake(JsonProcessingException e) {
        JsonLocation place = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        Position at = new At(source, place.getLineNr(), place.getColumnNr());
        if (e instanceof StreamConstraintsException) {
            return at.beyond("the JSON text is too large to parse", null);
        }
        if (e instanceof JsonEOFException) {
            return at.invalid("the JSON text is incomplete", "check that every brace, bracket and quote is closed");
        }
        return at.invalid(
                "this is not JSON", "check quotes, commas and brackets before this place; comments are not allowed");
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    @Override
    public int column() {
        return parser.currentTokenLocation().getColumnNr();
    }

    /* Overridden because it is called for every key, and the parser allocates an object for each location. */
    @Override
    public long mark() {
        JsonLocation place = parser.currentTokenLocation();
        return Position.mark(place.getLineNr(), place.getColumnNr());
    }
}
