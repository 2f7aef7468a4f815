package dev.strake.engine.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import dev.strake.engine.Json;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.validation.DataSchema.Violation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Always draft 4, whatever a schema declares, without external references or endless recursion. */
class DraftFourTest {

    /** Ends a test that would run for ever. On a busy machine what ends may take many seconds. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer'}                                    | 1                  | fits",
                "{'type':'integer'}                                    | 1.0                | breaks",
                "{'type':'integer'}                                    | 123456789012345678901234567890 | fits",
                "{'type':'number'}                                     | 1.0                | fits",
                "{'type':'number'}                                     | 1e400              | fits",
                "{'type':'object'}                                     | {}                 | fits",
                "{'type':'object'}                                     | 'text'             | breaks",
                "{'type':'object','required':['a']}                    | {}                 | breaks",
                "{'properties':{'a':{'type':'string'}}}                | {'a':1}            | breaks",
                "{'properties':{'a':{'type':'string'}}}                | {'b':1}            | fits",
                "{'additionalProperties':false}                        | {'a':1}            | breaks",
                "{'const':1}                                           | 2                  | fits",
                "{'if':{},'then':{'type':'string'}}                    | 2                  | fits",
                "{'contains':{'type':'string'}}                        | [1]                | fits",
                "{'propertyNames':{'pattern':'x'}}                     | {'a':1}            | fits",
                "{'minimum':1,'exclusiveMinimum':true}                 | 1                  | breaks",
                "{'minimum':1,'exclusiveMinimum':true}                 | 2                  | fits",
                "{'format':'ipv4'}                                     | 'no address'       | fits",
                "{'pattern':'b'}                                       | 'abc'              | fits",
                "{'pattern':'^b'}                                      | 'abc'              | breaks",
                "{'pattern':'^(a+)+$'}                                 | 'aaaa'             | fits",
                "{'enum':[1,'a']}                                      | 'a'                | fits",
                "{'enum':[1,'a']}                                      | 'b'                | breaks",
                "{'$schema':'http://json-schema.org/draft-07/schema#','const':1}   | 2      | fits",
                "{'$schema':'http://nowhere.invalid/schema#','type':'integer'}     | 'x'    | breaks",
                "{'$schema':'https://json-schema.org/draft/2020-12/schema','type':'integer'} | 1.0 | breaks",
                "{'definitions':{'d':{'type':'string'}},'properties':{'a':{'$ref':'#/definitions/d'}}} | {'a':1} | breaks",
                "{'properties':{'kids':{'items':{'$ref':'#'}},'n':{'type':'integer'}}} | {'kids':[{'kids':[{'n':'x'}]}]} | breaks",
                "{}                                                    | 'anything'         | fits",
            })
    void shouldJudgeByDraftFour(String schema, String data, String expected) {
        List<Violation> violations = DataSchema.of(Json.map(schema), RenderLimits.DEFAULT.budget())
                .check(Json.value(data), RenderLimits.DEFAULT.budget());
        assertThat(violations.isEmpty() ? "fits" : "breaks")
                .as(violations.toString())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':12}", "{'type':'thing'}", "{'properties':[]}", "{'required':'a'}", "{'items':3}",
                "{'minimum':'x'}", "{'exclusiveMinimum':3}", "{'enum':[]}", "{'allOf':{}}", "{'additionalProperties':3}"
            })
    void shouldRejectAnInvalidSchema(String body) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataSchema.of(Json.map(body), RenderLimits.DEFAULT.budget()))
                .withMessageContaining("not a valid JSON Schema (draft 4)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(       | missing closing )",
                "a(?=b)  | look-around and back-references are not supported",
                "[z-a]   | invalid character class range",
                "a{1001} | invalid repeat count",
            })
    void shouldReportAnInvalidPattern(String pattern, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> DataSchema.of(Json.map("{'pattern':'" + pattern + "'}"), RenderLimits.DEFAULT.budget()))
                .withMessageContaining(message);
    }

    @Test
    void shouldNeverFetchAnything() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/schema.json";
            for (String remote : List.of(url, "file:///etc/hostname", "classpath:/log.json", "jar:file:/x.jar!/y")) {
                expectUncheckable("{'$ref':'" + remote + "'}", "1", remote);
                expectUncheckable("{'properties':{'a':{'$ref':'" + remote + "#/x'}}}", "{'a':1}", remote);
            }
            expectUncheckable(
                    "{'id':'" + url + "','$schema':'" + url + "','properties':{'a':{'$ref':'x.json'}}}",
                    "{'a':1}",
                    "x.json");
            assertThat(requests).hasValue(0);
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'allOf':[{'$ref':'#'}]}",
                "{'definitions':{'a':{'$ref':'#/definitions/b'},'b':{'$ref':'#/definitions/a'}},'$ref':'#/definitions/a'}",
                "{'not':{'$ref':'#'}}"
            })
    void shouldReportARecursiveSchema(String body) {
        expectUncheckable(body, "1", "the schema refers to itself endlessly");
    }

    @Test
    void shouldGiveUpOnASchemaThatMultipliesEndlessly() {
        StringBuilder definitions = new StringBuilder("'d0':{'type':'integer'}");
        for (int i = 1; i <= 40; i++) {
            String lower = "{'$ref':'#/definitions/d" + (i - 1) + "'}";
            definitions.append(",'d" + i + "':{'allOf':[" + lower + "," + lower + "]}");
        }
        String body = "{'definitions':{" + definitions + "},'$ref':'#/definitions/d40'}";
        assertThatExceptionOfType(BudgetExceededException.class).isThrownBy(() -> violationsOf(body, "1"));
    }

    @Test
    void shouldNameThePlaceAndTheRuleButNeverTheValue() {
        List<Violation> violations = violationsOf(
                "{'properties':{'a':{'type':'integer','enum':[1],'pattern':'x','maxLength':2,'format':'ipv4'}},"
                        + "'additionalProperties':false}",
                "{'a':'token'}");
        assertThat(violations).isNotEmpty().allSatisfy(violation -> {
            assertThat(violation.path()).isEqualTo(".data.a");
            assertThat(violation.message()).doesNotContain("token");
        });
    }

    @Test
    void shouldLimitTheListedViolations() {
        String many = "[" + "'x',".repeat(999) + "'x']";
        assertThat(violationsOf("{'items':{'type':'integer'}}", many)).hasSizeBetween(1, 10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,1.0]            | breaks",
                "[[1],[1.0]]        | breaks",
                "[{'a':1},{'a':1e0}]| breaks",
                "[1,true,'1']       | fits",
                "{'a':1,'b':1}      | fits"
            })
    void shouldCompareNumbersByValue(String data, String judgement) {
        assertThat(judged("{'uniqueItems':true}", data)).isEqualTo(judgement);
    }

    /* Data that cannot be validated is invalid: the validator uses doubles, in which some of these are infinite. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1e2147483646    | fits  | fits     | breaks",
                "1e99999999999   | fits  | fits     | breaks",
                "1000 nines      | fits  | fits     | fits",
                "80 noughts      | fits  | fits     | breaks",
                "1e-99999999999  | fits  | fits     | breaks",
            })
    void shouldHandleNumbersOfAnySize(String written, String minimum, String unique, String integer) {
        String number = written.equals("1000 nines")
                ? "9".repeat(1_000)
                : written.equals("80 noughts") ? "1." + "0".repeat(80) + "e-999999999" : written;
        assertThat(judged("{'minimum':0}", number)).isEqualTo(minimum);
        assertThat(judged("{'uniqueItems':true}", "[" + number + "]")).isEqualTo(unique);
        assertThat(judged("{'uniqueItems':true}", "[" + number + "," + number + "]"))
                .isEqualTo("breaks");
        assertThat(judged("{'type':'integer'}", number)).isEqualTo(integer);
        assertThat(judged("{'enum':[1]}", number)).isEqualTo("breaks");
        assertThat(judged("{'multipleOf':0.1}", number))
                .isEqualTo(written.startsWith("1e-") || written.startsWith("80") ? "fits" : "breaks");
    }

    private static String judged(String schema, String data) {
        return DataSchema.of(Json.map(schema), RenderLimits.DEFAULT.budget())
                        .check(Json.value(data), RenderLimits.DEFAULT.budget())
                        .isEmpty()
                ? "fits"
                : "breaks";
    }

    private static void expectUncheckable(String schema, String data, String why) {
        assertThat(DataSchema.of(Json.map(schema), RenderLimits.DEFAULT.budget())
                        .check(Json.value(data), RenderLimits.DEFAULT.budget()))
                .as(schema)
                .singleElement()
                .satisfies(violation -> assertThat(violation.message())
                        .startsWith("cannot be checked: ")
                        .contains(why));
    }

    /* The violations of data; a rejected schema counts as a violation, because both become a problem. */
    private static List<Violation> violationsOf(String body, String data) {
        try {
            return DataSchema.of(Json.map(body), RenderLimits.DEFAULT.budget())
                    .check(Json.value(data), RenderLimits.DEFAULT.budget());
        } catch (IllegalArgumentException e) {
            return List.of(new Violation(".data", e.getMessage()));
        }
    }
}
