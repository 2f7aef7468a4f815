package dev.strake.heat.yaql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions in templates for which the corpora cover one outcome only. */
class YaqlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    $.data.isEmpty()                                        | {'data':''}          | true
                    $.data.isEmpty()                                        | {'data':' '}         | true
                    $.data.isEmpty()                                        | {'data':'u'}         | false
                    $.data.isEmpty()                                        | {'data':null}        | true
                    $.data.isEmpty()                                        | {'data':[]}          | true
                    $.data.isEmpty()                                        | {'data':{'a':1}}     | false
                    $.data.keys().last(default => '').isEmpty()             | {'data':{'user':1}}  | false
                    $.data.keys().last(default => '').isEmpty()             | {'data':{}}          | true
                    switch($.data > 3 => 'big', true => 'small')            | {'data':2}           | 'small'
                    switch($.data > 3 => 'big', true => 'small')            | {'data':4}           | 'big'
                    not $.data.trim().isEmpty() and $.data[0] = 'x'         | {'data':''}          | false
                    """)
    void shouldEvaluateAsYaqlDoes(String expression, String data, String value) {
        assertThat(Yaql.of(expression).apply(Json.map(data), RenderLimits.DEFAULT.budget()))
                .isEqualTo(Json.map("{'v':" + value + "}").get("v"));
    }
}
