package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TemplateValidator;
import dev.strake.heat.template.TreeLimits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages about a hidden parameter do not contain its value. */
class HiddenValuesTest {

    private static final String SECRET = "swordfish-9";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "conditions: {c: {get_param: key}}\nresources: {r: {type: 'OS::Heat::None', condition: c}}",
                "resources: {r: {type: 'OS::Heat::None', condition: {yaql: {expression: 'int($.data)', data: {get_param: key}}}}}",
                "resources: {r: {type: 'OS::Heat::None', deletion_policy: {get_param: key}}}",
                "resources: {r: {type: 'OS::Heat::None', deletion_policy: {get_file: {get_param: key}}}}",
                "resources: {r: {type: 'OS::Heat::ResourceGroup', properties: {count: {get_param: key}, resource_def: {type: 'OS::Heat::None'}}}}",
                "resources: {r: {type: 'OS::Heat::ResourceChain', properties: {resources: {get_param: key}}}}",
                "resources: {r: {type: 'OS::Heat::ResourceChain', properties: {resources: ['OS::Heat::None'], resource_properties: {p: {digest: [{get_param: key}, x]}}}}}",
                "resources: {r: {type: 'OS::Heat::ResourceGroup', update_policy: {rolling_update: {max_batch_size: {get_param: key}}}, "
                        + "properties: {resource_def: {type: 'OS::Heat::None'}}}}",
                "resources: {r: {type: child.yaml, properties: {value: {get_param: key}}}}",
            })
    void shouldNotQuoteAnInvalidHiddenValue(String rest) {
        for (TemplateRequest.Mode mode : TemplateRequest.Mode.values()) {
            List<Fault> faults = validate(mode, rest);
            if (mode == TemplateRequest.Mode.DEEP) {
                assertThat(faults).as(rest).isNotEmpty();
            }
            assertThat(faults)
                    .as(rest)
                    .noneMatch(fault ->
                            fault.toString().contains(SECRET) || fault.text().contains(SECRET));
        }
    }

    @ParameterizedTest
    @EnumSource(TemplateRequest.Mode.class)
    void shouldQuoteAValueThatIsNotHiddenAfterAHiddenOneWasRead(TemplateRequest.Mode mode) {
        assertThat(validate(mode, """
                        conditions:
                          fine: {equals: [{get_param: key}, x]}
                        resources:
                          a: {type: 'OS::Heat::None', condition: fine}
                          b: {type: 'OS::Heat::None', deletion_policy: Burn}"""))
                .singleElement()
                .extracting(Fault::message)
                .asString()
                .contains("Invalid deletion policy \"Burn\"");
    }

    @Test
    void shouldReportThatAValueIsHidden() {
        assertThat(validate(
                        TemplateRequest.Mode.DEEP,
                        "resources: {r: {type: 'OS::Heat::None', deletion_policy: {get_param: key}}}"))
                .singleElement()
                .extracting(Fault::message)
                .asString()
                .contains("Invalid deletion policy \"******\"");
    }

    private static List<Fault> validate(TemplateRequest.Mode mode, String rest) {
        String head = "heat_template_version: rocky\n";
        String top = head + "parameters: {key: {type: string, hidden: true, default: " + SECRET + "}}\n" + rest;
        String child = head
                + "parameters: {value: {type: string}}\n"
                + "resources: {in: {type: 'OS::Heat::None', deletion_policy: {get_param: value}}}";
        return TemplateValidator.validate(new TemplateRequest(
                        new SourceFile("top.yaml", top),
                        Map.of("child.yaml", new SourceFile("child.yaml", child)),
                        new TemplateRequest.Environments(null, List.of(), MapValue.EMPTY),
                        true,
                        List.of(),
                        mode,
                        TreeLimits.DEFAULT))
                .faults();
    }
}
