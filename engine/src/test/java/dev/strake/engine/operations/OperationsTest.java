package dev.strake.engine.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the recorded answers of the tool leave open: our own words, deliberate differences and hostile lists. */
class OperationsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}                  | {'type':'replace','path':'/a','value':null}           | {'a':null}",
                "{'a':null}               | {'type':'test','path':'/a','value':null}              | {'a':null}",
                "{'a':null}               | {'type':'test','path':'/a','absent':false}            | {'a':null}",
                "[{'port':80}]            | {'type':'replace','path':'/port=80/x?','value':1}     | [{'port':80,'x':1}]",
                "[{'port':80},{'port':'80'}] | {'type':'remove','path':'/port=80'}                | [{'port':80}]",
                "{'n':1.50}               | {'type':'test','path':'/n','value':1.5}               | {'n':1.50}",
                "{'a':1,'b':2}            | {'type':'replace','path':'/a','value':1.0}            | {'a':1.0,'b':2}",
                "{'b':{},'a':1}           | {'type':'replace','path':'/c?','value':3}             | {'b':{},'a':1,'c':3}",
                "{'8080':1}               | {'type':'replace','path':'/8080?','value':2}          | {'8080':2}",
                "{}                       | {'type':'replace','path':'/99999999999999999999?','value':2} | {'99999999999999999999':2}",
            })
    void shouldApplyOperationsWhereRecordedAnswersLeaveRoom(String document, String operation, String expected)
            throws OperationException {
        assertThat(Json.text(apply(document, "[" + operation + "]"))).isEqualTo(Json.text(Json.value(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{'name':'api'},{'name':'db'},5,{'name':7}] | /name=apo  | found names: 'api', 'db'",
                "[{'name':'api'}]        | /nmae=api       | no item has text under the key 'nmae'",
                "[{'token':'s3cr3t'}]    | /token=x        | ",
                "[]                      | /name=api       | the array is empty",
                "[{'name':'a'},{'name':'a'}] | /name=a     | ",
            })
    void shouldNameTheExistingItemsIfNoneMatches(String document, String path, String hint) {
        Problem problem = problemOf(document, "[{'type':'remove','path':'" + path + "'}]");
        assertThat(problem.message()).contains("Expected to find exactly one matching array item");
        assertThat(problem.hint()).isEqualTo(hint);
    }

    @Test
    void shouldNameNoSecretItemsAndKeys() {
        Value named = Json.value("[{'name':'s3cr3t'}]").secret();
        Value keyed = ((MapValue) Json.value("{'s3cr3t':1}")).closed();
        Problem ofNames = problemOf(named, Json.value("[{'type':'remove','path':'/name=api'}]"));
        Problem ofKeys = problemOf(keyed, Json.value("[{'type':'remove','path':'/api'}]"));
        assertThat(List.of(ofNames, ofKeys)).noneMatch(each -> each.describe().contains("s3cr3t"));
    }

    @Test
    void shouldNameOnlySomeOfManyItems() {
        String items = IntStream.range(0, 1_000)
                .mapToObj(i -> "{'name':'item-" + i + "x".repeat(100) + "'}")
                .collect(Collectors.joining(","));
        Problem problem = problemOf("[" + items + "]", "[{'type':'remove','path':'/name=none'}]");
        assertThat(problem.hint()).startsWith("found names: 'item-0x").hasSizeLessThan(2_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'replace','path':'/a','vlaue':'s3cr3t'} | Replace operation [0]: Missing value (its path is '/a') | unknown fields: 'vlaue'; use type, path, value, absent and error",
                "{'tpye':'remove','path':'/a','x':1} | Unknown operation [0] with type '' (its path is '/a') | unknown fields: 'tpye', 'x'; use type, path, value, absent and error",
                "{'type':'move','path':'/a'}         | Unknown operation [0] with type 'move' (its path is '/a') | types are replace, remove and test",
            })
    void shouldNameUnknownFieldsOfAnInvalidOperation(String operation, String message, String hint) {
        Problem problem = problemOf("{}", "[" + operation + "]");
        assertThat(problem.message()).isEqualTo(message);
        assertThat(problem.hint()).isEqualTo(hint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':{'x':1}} | /a/b/c       | operation [1] (remove '/a/b/c') fails at 'b': Expected to find a map key 'b' for path '/a/b' (found map keys: 'x')",
                "{'a':[{'n':'s'},{'n':'s'}]} | /a/n=s | operation [1] (remove '/a/n=s') fails at 'n=s': Expected to find exactly one matching array item for path '/a/n=s' but found 2",
                "{'a':[]}      | /a/0         | operation [1] (remove '/a/0') fails at '0': Expected to find array index '0' but found array of length '0' for path '/a/0'",
                "{'a':'s3cr3t'} | /a/b        | operation [1] (remove '/a/b') fails at 'b': Expected to find a map at path '/a/b' but found 'string'",
                "{'a':[1]}     | /a/9223372036854775807:next | operation [1] (remove '/a/9223372036854775807:next') fails at '9223372036854775807:next': Expected to find array index '-9223372036854775808' but found array of length '1' for path '/a/9223372036854775807:next'",
                "{'a':[1]}     | /a/-9223372036854775808 | operation [1] (remove '/a/-9223372036854775808') fails at '-9223372036854775808': Expected to find array index '-9223372036854775808' but found array of length '1' for path '/a/-9223372036854775808'",
            })
    void shouldNameOperationComponentAndFoundValue(String document, String path, String message) {
        Problem problem = problemOf(
                document,
                "[{'type':'replace','path':'/new?','value':'s3cr3t'}, {'type':'remove','path':'" + path + "'}]");
        assertThat(problem.code()).isEqualTo(ProblemCode.OPERATION_FAILED);
        assertThat(problem.path()).isEqualTo(".data.operations[1]");
        assertThat(problem.message()).isEqualTo(message);
    }

    @Test
    void shouldNeverShowAValue() {
        Problem problem =
                problemOf("{'a':'s3cr3t'}", "[{'type':'test','path':'/a','value':'other','error':'rotate it first'}]");
        assertThat(problem.describe())
                .contains("Error 'rotate it first': Found value does not match expected value")
                .contains("found text, expected text")
                .doesNotContain("s3cr3t")
                .doesNotContain("other");
        assertThat(problemOf("{}", "[{'type':'replace','path':'x','value':'s3cr3t'}]")
                        .describe())
                .doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'replace'}           | Expected to find a list of operations but found mapping",
                "['x']                        | Operation [0]: Expected to find a map but found text",
                "[{'type':'add','path':'/a'}] | Unknown operation [0] with type 'add' (its path is '/a')",
                "[{'type':5}]                 | Unknown operation [0] with type '5'",
                "[{'type':'remove','path':'/a','value':1}] | Remove operation [0]: Cannot specify value (its path is '/a')",
                "[{'type':'test','path':'/a','absent':'yes'}] | Test operation [0]: Expected absent to be true or false but found text (its path is '/a')",
                "[{'type':'test','path':'/a','absent':null}] | Test operation [0]: Missing value or absent (its path is '/a')",
                "[{'type':'remove','path':['/a']}] | Remove operation [0]: Expected path to be a text but found list",
                "[{'type':'remove','path':'/-:next'}] | Remove operation [0]: Invalid path: Expected not to find any modifiers with after last index token (its path is '/-:next')",
                "[{'type':'remove','path':'/0:next:up'}] | Remove operation [0]: Invalid path: Expected to find one of the following modifiers: 'prev', 'next', 'before', or 'after' but found 'next' (its path is '/0:next:up')",
            })
    void shouldReportWhyAListIsInvalid(String list, String message) {
        Problem problem = problemOf("{}", list);
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_OPERATIONS);
        assertThat(problem.message()).isEqualTo(message);
    }

    @Test
    void shouldReadNullAsNoOperations() throws OperationException {
        assertThat(Operations.of(Json.value("null")).items()).isEmpty();
    }

    @Test
    void shouldReportAProblemForHostileLists() {
        String deep = "/a?".repeat(100_000);
        assertThat(problemOf("{}", "[{'type':'replace','path':'" + deep + "','value':1}]")
                        .code())
                .isEqualTo(ProblemCode.INVALID_OPERATIONS);

        // Each operation goes down as far as a path may and puts one more level there.
        String nested = "[{'type':'replace','path':'" + "/a?".repeat(250) + "','value':" + "[".repeat(50)
                + "]".repeat(50) + "}]";
        assertThat(problemOf("{}", nested).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);

        Problem longNames = problemOf("{}", "[{'type':'remove','path':'/" + "k".repeat(1 << 20) + "/x'}]");
        assertThat(longNames.message()).contains("…') fails at 'kkk").contains("Expected to find a map key");

        Value large = Json.value("{'type':'replace','path':'/-','value':'" + "x".repeat(1 << 20) + "'}");
        Problem tooLarge = problemOf(
                Json.value("[]"), Json.value("[" + (Json.text(large) + ",").repeat(8) + Json.text(large) + "]"));
        assertThat(tooLarge.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(tooLarge.message()).startsWith("operation [7] (replace '/-'): ");
    }

    @Test
    void shouldShareValuesOutsideOfThePath() throws OperationException {
        MapValue document = Json.map("{'kept':{'large':[1,2,3]},'list':[{'n':'a'},{'n':'b'}]}");
        MapValue result = (MapValue) Operations.of(Json.value("[{'type':'replace','path':'/list/n=a/x?','value':1},"
                        + "{'type':'remove','path':'/none?/at/all'},{'type':'test','path':'/list/-1/n','value':'b'}]"))
                .applyTo(document, RenderLimits.DEFAULT.budget());
        assertThat(result.get("kept")).isSameAs(document.get("kept"));
        assertThat(Json.text(document))
                .isEqualTo("{\"kept\":{\"large\":[1,2,3]},\"list\":[{\"n\":\"a\"},{\"n\":\"b\"}]}");
        assertThatExceptionOfType(OperationException.class)
                .isThrownBy(() -> Operations.of(Json.value("[{'type':'remove','path':''}]"))
                        .applyTo(document, RenderLimits.DEFAULT.budget()))
                .withMessage("operation [0] (remove ''): Cannot remove entire document");
    }

    private static Value apply(String document, String operations) throws OperationException {
        return Operations.of(Json.value(operations)).applyTo(Json.value(document), RenderLimits.DEFAULT.budget());
    }

    private static Problem problemOf(String document, String operations) {
        return problemOf(Json.value(document), Json.value(operations));
    }

    private static Problem problemOf(Value document, Value operations) {
        try {
            Operations.of(operations).applyTo(document, RenderLimits.DEFAULT.budget());
        } catch (OperationException e) {
            return e.toProblem(".data.operations");
        }
        throw new AssertionError("the operations succeeded");
    }

    @Test
    void shouldCutMessagesBetweenCharactersOnly() {
        for (int length = 295; length < 305; length++) {
            String path = "/" + "a".repeat(length) + "😀b";
            assertThatExceptionOfType(OperationException.class)
                    .isThrownBy(() -> apply("{'k':1}", "[{'type':'remove','path':'" + path + "'}]"))
                    .satisfies(
                            e -> assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(e.getMessage()))
                                    .isTrue());
        }
    }
}
