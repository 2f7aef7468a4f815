package dev.strake.engine.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.Json;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".                | {'a':1}                          | {'a':1}",
                "$                | 'text'                           | 'text'",
                ".a.b             | {'a':{'b':2}}                    | 2",
                "$.a.b            | {'a':{'b':2}}                    | 2",
                "a.b              | {'a':{'b':2}}                    | 2",
                "['a'].b          | {'a':{'b':2}}                    | 2",
                ".a['k.l'].m      | {'a':{'k.l':{'m':3}}}            | 3",
                ".[\"a\"]         | {'a':4}                          | 4",
                ".'a b'           | {'a b':5}                        | 5",
                ".'it\\'s'        | {'it\\'s':6}                     | 6",
                ".2               | {'2':7}                          | 7",
                ".größe           | {'größe':1}                      | syntax",
                ".'größe'         | {'größe':1}                      | 1",
                ".名前            | {'名前':8}                       | 8",
                ".l[1]            | {'l':[1,2]}                      | 2",
                ".l[-1]           | {'l':[1,2]}                      | 2",
                ".l[-3]           | {'l':[1,2]}                      | nothing",
                ".l[2]            | {'l':[1,2]}                      | nothing",
                ".[0]             | [9]                              | 9",
                ".m[0][1]         | {'m':[[1,2]]}                    | 2",
                ".s[1]            | {'s':'añb'}                      | 'ñ'",
                ".n[0]            | {'n':12}                         | nothing",
                ".a.b             | {'a':'text'}                     | nothing",
                ".a               | {'a':null}                       | null",
                ".a               | {}                               | nothing",
                ".l[*].a          | {'l':[{'b':1},{'a':2},{'a':3}]}  | 2",
                ".*               | {'b':1,'a':2}                    | 2",
                "..k              | {'b':{'k':1},'a':{'k':2}}        | 2",
                ".x,a             | {'a':1}                          | 1",
                ".l[1:]           | {'l':[1,2,3]}                    | 2",
                ".l[:-1]          | {'l':[1,2]}                      | 1",
                ".l[-1:]          | {'l':[1,2]}                      | 2",
                ".l[::-1]         | {'l':[1,2]}                      | 2",
                ".l[2:]           | {'l':[1,2]}                      | nothing",
                ".l[1:].a         | {'l':[{'a':1},{'b':2},{'a':3}]}  | 3",
                ".l[:]            | {'l':'text'}                     | 'text'",
                ".l[*].a          | {'l':{'a':1}}                    | 1",
                ".l[5,1]          | {'l':[1,2]}                      | 2",
                ".['x','a']       | {'a':1}                          | 1",
                ".[x, a]          | {'a':1}                          | 1",
                ". a . b          | {'a':{'b':1}}                    | 1",
                ".* where k       | {'a':{'b':1},'c':{'k':1}}        | {'k':1}",
                ".* wherenot b    | {'a':{'b':1},'c':{'k':1}}        | {'k':1}",
                ".a.$.b           | {'a':1,'b':2}                    | 2",
                "..(a.b)          | {'x':{'a':{'b':1}}}              | 1",
            })
    void shouldReadTheFirstMatch(String path, String data, String expected) throws Exception {
        if (expected.equals("syntax")) {
            assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.of(path));
            return;
        }
        Value found = Path.of(path).first(Json.value(data), budget());
        assertThat(found).isEqualTo(expected.equals("nothing") ? null : Json.value(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                ".a.(x|b)        ; {'a':{'b':1}}    ; 1",
                ".x|a.b          ; {'a':{'b':1}}    ; 1",
                ".a | b[0]       ; {'b':[7]}        ; 7",
                "..k.`parent`    ; {'a':{'k':1}}    ; {'k':1}",
                ".a.`this`       ; {'a':1}          ; 1",
            })
    void shouldReadAllOperatorsOfThePatternLibrary(String path, String data, String expected) throws Exception {
        assertThat(Path.of(path).first(Json.value(data), budget())).isEqualTo(Json.value(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {".l[1:]", ".a|b", ".a where b", ".l[0,1]", "$.a.`this`"})
    void shouldNotWriteWhereAPathIsForReadingOnly(String path) {
        assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.ofDestination(path));
        assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.ofAction(path));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".a        | {'a':1,'b':2}        | {'a':'new','b':2}",
                ".a        | {}                   | {'a':'new'}",
                ".a.b.c    | {}                   | {'a':{'b':{'c':'new'}}}",
                ".'k.l'.m  | {}                   | {'k.l':{'m':'new'}}",
                ".a['c']   | {'a':{}}             | {'a':{'c':'new'}}",
                ".l[1]     | {'l':[1,2]}          | {'l':[1,'new']}",
                ".l[3]     | {'l':[1,2]}          | {'l':[1,2,{},'new']}",
                ".l[2].k   | {}                   | {'l':[{},{},{'k':'new'}]}",
                ".m[1][1]  | {}                   | {'m':[{},[{},'new']]}",
                ".l[*]     | {'l':[1,2]}          | {'l':['new','new']}",
                "..k       | {'k':1,'a':{'k':2}}  | {'k':'new','a':{'k':'new'}}",
                ".*        | {'a':1,'b':[]}       | {'a':'new','b':'new'}",
                ".a,b      | {'a':1,'b':2,'c':3}  | {'a':'new','b':'new','c':3}",
                ".         | {'a':1}              | 'new'",
                ".a        | {'a':null}           | {'a':'new'}",
                "..a       | {'a':{'a':1},'b':{'a':{'a':2}}} | {'a':'new','b':{'a':'new'}}",
                "..a.b     | {'a':{'b':1,'a':{'b':2}}} | {'a':{'b':'new','a':{'b':'new'}}}",
                ".a.b      | {'a':1}              | conflict",
                ".a.b      | {'a':'text'}         | conflict",
                ".a.b      | {'a':null}           | conflict",
                ".a.b      | {'a':[]}             | conflict",
                ".l[0]     | {'l':{'k':1}}        | conflict",
                ".s[0]     | {'s':'text'}         | conflict",
                ".l[-1]    | {'l':[]}             | conflict",
                ".l[*]     | {'l':[]}             | conflict",
                "..k       | {}                   | conflict",
                ".x,y      | {}                   | conflict",
                ".l[1024]  | {}                   | reach",
                ".l[1025]  | {}                   | conflict",
                ".l[999999999] | {}               | conflict",
            })
    void shouldWriteEveryMatchOrCreateTheMissingPlace(String path, String data, String expected) throws Exception {
        Value root = Json.value(data);
        Value written = Json.value("'new'");
        if (expected.equals("conflict")) {
            assertThatExceptionOfType(PathConflictException.class)
                    .isThrownBy(() -> Path.of(path).write(root, written, budget()));
        } else if (expected.equals("reach")) {
            assertThat(Path.of(path).first(Path.of(path).write(root, written, budget()), budget()))
                    .isEqualTo(written);
        } else {
            assertThat(Json.text(Path.of(path).write(root, written, budget())))
                    .isEqualTo(Json.text(Json.value(expected)));
        }
        assertThat(root).as("the tree that was written to").isEqualTo(Json.value(data));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ".y      | {'x':1,'y':1}        | {'x':1}",
                ".l[2]   | {'l':[1,2,1]}        | {'l':[1,2]}",
                ".l[-3]  | {'l':[1,2,1]}        | {'l':[2,1]}",
                ".l[*]   | {'l':[1,2]}          | {'l':[]}",
                "..k     | {'k':1,'a':[{'k':2}]} | {'a':[{}]}",
                ".a.b    | {'a':{'b':null}}     | {'a':{}}",
                ".       | 'text'               | {}",
                "$       | {'a':1}              | {}",
                ".a.b    | {'a':{}}             | nothing",
                ".l[3]   | {'l':[1]}            | nothing",
            })
    void shouldRemoveTheValueAtThePathAndNoEqualOne(String path, String data, String expected) throws Exception {
        Value left = Path.of(path).remove(Json.value(data), budget());
        assertThat(left).isEqualTo(expected.equals("nothing") ? null : Json.value(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                ".a/b",
                ".a..",
                ".a.",
                ".[",
                ".l[",
                ".l[]",
                ".l[1",
                ".'open",
                ".\"open",
                ".2a",
                ".a'b'",
                "$a",
                "$.",
                "..",
                ".a[1.5]",
                ".a[9999999999]",
                ".a[-]",
                ".-a",
                ".a,",
                "a$",
                ".a[?(@.b)]",
                ".'a\\"
            })
    void shouldReportWhereAnInvalidPathEnds(String text) {
        assertThatExceptionOfType(PathSyntaxException.class)
                .isThrownBy(() -> Path.of(text))
                .withMessageContaining("'" + text + "'")
                .withMessageMatching("(?s).* at position [0-9]+: .*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ".data          | whole",
                "$.data         | whole",
                ".              | whole",
                "$              | whole",
                "''             | whole",
                ".data.a        | a",
                "$.data.a       | a",
                ".data['a']     | a",
                "a              | a",
                ".a             | a",
                ".data_dir      | data_dir",
                ".database      | database",
                "data           | data",
            })
    void shouldCutDataOffAnActionsPathAtItsBoundaryOnly(String path, String expected) throws Exception {
        Value own = Json.value("{'a':'a','data_dir':'data_dir','database':'database','data':'data'}");
        Value wanted = expected.equals("whole") ? own : Json.value("'" + expected + "'");
        assertThat(Path.ofAction(path).first(own, budget())).isEqualTo(wanted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "['a']", "[0]", ""})
    void shouldRequireADestinationToStartWithADot(String path) {
        assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.ofDestination(path));
    }

    @Test
    void shouldRejectPathsLongerThanTheDepthOfADocument() {
        assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.of(".a".repeat(65)));
        assertThatExceptionOfType(PathSyntaxException.class).isThrownBy(() -> Path.of("..a".repeat(100_000)));
    }

    @Test
    void shouldShareUntouchedValues() throws Exception {
        Value root = Json.value("{'a':{'b':1},'c':{'d':[1,2,3]}}");
        Value written = Path.of(".a.b").write(root, Json.value("2"), budget());
        assertThat(Path.of(".c").first(written, budget()))
                .isSameAs(Path.of(".c").first(root, budget()));
        assertThat(Path.of(".a.b").write(root, Path.of(".a.b").first(root, budget()), budget()))
                .isSameAs(root);
    }

    private static Budget budget() {
        return RenderLimits.DEFAULT.budget();
    }
}
