package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.output.PreviewOutput.Format;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreviewOutputTest {

    @ParameterizedTest
    @EnumSource(names = {"DIFF", "TABLE", "MARKDOWN"})
    void shouldReportLastingProblemsWhenNothingWouldChange(Format format) {
        String said = "0 cut off;\nexisting problems would remain";
        assertThat(printed("unchanged", 1, format)).contains(said, "would stay: 1 problem");
        assertThat(printed("unchanged", 0, format)).doesNotContain("problem");
        assertThat(printed("rendered", 0, format)).doesNotContain("problem");
    }

    private static String printed(String wouldBe, int staying, Format format) {
        String preview = """
                {"status":"planned","wouldBe":"%s","problemCounts":{"staying":{"problems":%d,"waiting":0}},"affected":0,"evaluated":0,"cutOff":0,
                 "emitted":0,"removed":0,"rendered":3,"differences":[]}\
                """.formatted(wouldBe, staying);
        CapturedTerminal terminal = CapturedTerminal.pipe();
        new PreviewOutput(terminal.terminal()).print((MapValue) JsonReader.read(preview), format);
        return terminal.out();
    }
}
