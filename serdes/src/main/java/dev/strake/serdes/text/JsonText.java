package dev.strake.serdes.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.List;

/**
 * Reads one JSON text: no comments, nothing after its end. Numbers keep their form. Of a key that stands twice the last one
 * counts, with a warning, as in YAML; whoever reads strictly refuses a text with such a warning once all of it is known to be
 * JSON.
 */
final class JsonText implements Position {

    /** For untrusted texts, keys are not shared in a symbol table: an author could fill it with colliding hashes. */
    private static final JsonFactory UNTRUSTED = factory(false);

    private static final JsonFactory TRUSTED = factory(true);

    private final String source;
    private final JsonParser parser;
    private final TreeBuilder tree;

    private JsonText(JsonParser parser, String source, boolean apart, Lines lines, Tally tally, boolean trusted) {
        this.source = source;
        this.parser = parser;
        this.tree = new TreeBuilder(Dialect.PYTHON, this, apart, lines, tally, trusted);
    }

    private static JsonFactory factory(boolean trusted) {
        return JsonFactory.builder()
                .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, trusted)
                .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
                .configure(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW, false)
                // Each thread keeps its buffers. A pool that all threads share takes a microsecond more for each text.
                .recyclerPool(JsonRecyclerPools.threadLocalPool())
                // The tree builder checks our own limits, with our own messages.
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    static List<ReadDocument> read(String text, String source, boolean apart, Lines lines, Tally tally)
            throws UnreadableTextException {
        try (JsonParser parser = UNTRUSTED.createParser(text)) {
            return new JsonText(parser, source, apart, lines, tally, false).readAll();
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory cannot fail to be read", e);
        }
    }

    /**
     * Reads bytes that we wrote ourselves. There are no limits: whatever we wrote can be read again.
     *
     * @throws IllegalArgumentException if the bytes are damaged so that they look like another encoding
     */
    static List<ReadDocument> readTrusted(byte[] json) throws UnreadableTextException {
        try (JsonParser parser = TRUSTED.createParser(json)) {
            return new JsonText(parser, "value", false, Lines.NONE, new Tally(Limits.NONE), true).readAll();
        } catch (CharConversionException e) {
            throw new IllegalArgumentException("bytes in no encoding of JSON", e);
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory cannot fail to be read", e);
        }
    }

    private List<ReadDocument> readAll() throws IOException, UnreadableTextException {
        try {
            int depth = 0;
            boolean complete = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (complete) {
                    throw invalid("something follows the end of the JSON text", "put several documents into an array");
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
            case NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> throw new IllegalStateException("no token of a JSON text");
        }
    }

    /* Jackson's own messages quote the text. */
    private UnreadableTextException mistake(JsonProcessingException e) {
        JsonLocation place = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        Position at = new At(source, place.getLineNr(), place.getColumnNr());
        if (e instanceof StreamConstraintsException) {
            return at.beyond("the JSON text is larger than can be read", null);
        }
        if (e instanceof JsonEOFException) {
            return at.invalid(
                    "the JSON text ends before it is complete", "check that every brace, bracket and quote is closed");
        }
        return at.invalid(
                "this is no JSON", "check quotes, commas and brackets before this place; comments are refused");
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
}
