package dev.strake.engine.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases that the recorded results do not cover. */
class InterpolationTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "['((a))((b))']       | {'a':'','b':5}          | [5]",
                "['(((a)))']          | {'a':1}                 | ['(1)']",
                "['((a.-1.k))']       | {'a':[{'k':1},{'k':2}]} | [2]",
                "['((a))\\n']          | {'a':1}                 | ['1\\n']",
                "['((! a))','((a:b))','(())'] | {'a':1}         | ['((! a))','((a:b))','(())']",
                "['(( !a ))']         | {'a':[1]}               | [[1]]",
                "{'z':1,'((a))':2,'b':3} | {'a':'m'}            | {'z':1,'m':2,'b':3}",
                "{'((a))':1}          | {'a':5}                 | {'5':1}",
                "['((a/b))']          | {'a/b':1}               | [1]",
                "[12345678901234567890123,'x((a))'] | {'a':12345678901234567890123} | [12345678901234567890123,'x12345678901234567890123']",
                "{'variables':[{'name':'a','type':'t','options':{'x':'((b))'}}]} | {'a':1} | {'variables':[{'name':'a','type':'t','options':{'x':'((b))'}}]}",
                "{'variables':[{'name':'a','options':{'x':'((b))'}}]} | {'a':1,'b':2} | {'variables':[]}",
            })
    void shouldFillPlaceholders(String document, String variables, String expected) throws EvaluationException {
        assertThat(Json.text(filled(document, variables))).isEqualTo(Json.text(Json.value(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'((a))':1,'((b))':2} | {'a':'s3cr3t','b':'s3cr3t'} | Expected different map keys but '((a))' and '((b))' become the same",
                "{'((a))':1}           | {'a':['s3cr3t']}            | Expected a map key to become a text but '((a))' becomes a list",
                "['x((a))']            | {'a':2.5}                   | Invalid type 'float64' for value '<redacted>' and variable 'a'. Supported types for interpolation within a string are integers and strings.",
                "{'variables':['a']}   | {}                          | Expected a definition of a variable to be a map but found text",
                "{'variables':[{'name':'a','options':{'x':'((b))'}},{'name':'b','options':['((a))']}],'y':'((a))'} | {'a':1,'b':2} | Detected recursion: the options of variable 'b' need the variable itself",
            })
    void shouldReportProblemsWithoutValues(String document, String variables, String message) {
        assertThatExceptionOfType(EvaluationException.class)
                .isThrownBy(() -> filled(document, variables))
                .withMessage(message);
    }

    @Test
    void shouldKeepTheSameObjectsWhereNothingIsFilled() throws EvaluationException {
        MapValue document = Json.map("{'a':{'b':['((missing))',1]},'c':'((x))'}");
        MapValue result = (MapValue) filled(document, Json.map("{'x':1}"));
        assertThat(result.get("a")).isSameAs(document.get("a"));
    }

    @Test
    void shouldNestDottedNamesInAnyOrder() {
        Value one = new Text("1");
        Value two = new Text("2");
        Value expected = Json.value("{'a':{'b':{'c':'1','d':'2'}}}");
        assertThat(Variables.NONE.with("a.b.c", one).with("a.b.d", two).values())
                .isEqualTo(expected);
        assertThat(Variables.NONE.with("a.b.d", two).with("a.b.c", one).values())
                .isEqualTo(expected);
        assertThat(Variables.NONE.with("a", one).with("a.b", two).toString()).isEqualTo("Variables[a]");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Variables.NONE.with("a.".repeat(100_000), one));
    }

    @Test
    void shouldReportAProblemWhenTextsDoubleThemselves() {
        String bomb = "((a))".repeat(40);
        assertThatExceptionOfType(EvaluationException.class)
                .isThrownBy(() -> filled(ListValue.of(new Text(bomb)), MapValue.of("a", new Text("((a))((a))"))))
                .satisfies(e -> assertThat(e.toProblem(null).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED));
    }

    @Test
    void shouldReportAProblemWhenValuesRepeatThemselves() {
        Value large = new Text("x".repeat(1 << 20));
        assertThatExceptionOfType(EvaluationException.class)
                .isThrownBy(() ->
                        filled(ListValue.of(Collections.nCopies(100, new Text("((a))"))), MapValue.of("a", large)))
                .satisfies(e -> assertThat(e.toProblem(null).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED));
    }

    private static Value filled(String document, String variables) throws EvaluationException {
        return filled(Json.value(document), Json.map(variables));
    }

    private static Value filled(Value document, MapValue variables) throws EvaluationException {
        return Interpolation.interpolate(
                document, Variables.NONE.overriddenBy(variables), false, false, RenderLimits.DEFAULT);
    }
}
