package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.output.PreviewOutput.Format;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreviewOutputTest {

    @ParameterizedTest
    @EnumSource(names = {"DIFF", "TABLE", "MARKDOWN"})
    void shouldSayThatProblemsStayWhenNothingWouldChange(Format format) {
        String said = "0 cut off;\nproblems are there already, and would stay";
        assertThat(printed("unchanged", "5", "4", format)).contains(said);
        assertThat(printed("unchanged", "5", "null", format)).contains(said); // consumers have nothing yet
        assertThat(printed("unchanged", "5", "5", format)).doesNotContain("problems");
        assertThat(printed("unchanged", "0", "null", format)).doesNotContain("problems"); // an empty workspace
        assertThat(printed("rendered", "6", "6", format)).doesNotContain("problems");
    }

    private static String printed(String wouldBe, String revision, String renderedRevision, Format format) {
        String preview = """
                {"status":"planned","wouldBe":"%s","revision":%s,"renderedRevision":%s,"affected":0,"evaluated":0,"cutOff":0,
                 "emitted":0,"removed":0,"rendered":3,"differences":[]}\
                """.formatted(wouldBe, revision, renderedRevision);
        CapturedTerminal terminal = CapturedTerminal.pipe();
        new PreviewOutput(terminal.terminal())
                .print((MapValue) JsonValues.read(preview.getBytes(StandardCharsets.UTF_8)), format);
        return terminal.out();
    }
}
