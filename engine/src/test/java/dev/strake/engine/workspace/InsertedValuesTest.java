package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that are inserted into another document, as Deckhand does it. */
class InsertedValuesTest {

    private final TestWorkspace workspace = new TestWorkspace();

    InsertedValuesTest() {
        workspace.put("b", TestDocument.layers("site"));
    }

    private String inserted(String schema, String name, String path) {
        MapValue reader = document("t/Kind/v1", "reader")
                .taking(
                        "{'schema':'%s','name':'%s','path':'%s'}".formatted(schema, name, path),
                        "{'path':'.t','pattern':'X'}")
                .data("{'t':'<X>'}");
        workspace.put("b", reader);
        MapValue document = workspace.published().get(new DocumentKey("t/Kind/v1", "reader"));
        return ((Text) ((MapValue) document.get("data")).get("t")).value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "true                        | <True>",
                "false                       | <False>",
                "1                           | <1>",
                "1.50                        | <1.50>",
                "1e16                        | <1e16>",
                "[1,'a',true,null,2.50]      | <[1, 'a', True, None, 2.50]>",
                "{'k':'v','a':null}          | <{'k': 'v', 'a': None}>",
                "{'k':{'l':['x',{}]},'e':[]} | <{'k': {'l': ['x', {}]}, 'e': []}>",
                "['it\\u0027s']              | <[\"it's\"]>",
                "['a\\nb\\u0007']            | <['a\\nb\\x07']>",
            })
    void shouldInsertOtherValuesInPythonNotation(String value, String expected) {
        workspace.put("b", document("t/Kind/v1", "source").data("{'v':" + value + "}"));

        assertThat(inserted("t/Kind/v1", "source", ".v")).isEqualTo(expected);
    }

    @Test
    void shouldReadATextFromADataSchemaWithAnUnusualName() {
        workspace.put("b", document("deckhand/DataSchema/v1", "tmpl").data("'text {{ x }}'"));

        assertThat(inserted("deckhand/DataSchema/v1", "tmpl", ".")).isEqualTo("<text {{ x }}>");
        assertThat(workspace.published()).containsKey(new DocumentKey("deckhand/DataSchema/v1", "tmpl"));
    }
}
