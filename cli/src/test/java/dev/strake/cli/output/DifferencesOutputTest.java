package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.output.DifferencesOutput.Format;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.DifferencesJson;
import org.junit.jupiter.api.Test;

class DifferencesOutputTest {

    private static final DocumentKey KEY = new DocumentKey("a/B/v1", "c");
    private static final Problem PROBLEM = Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, "there is no .x", "add it")
            .on(new DocumentId("a/B/v1", "site", "c"));

    @Test
    void shouldNotReportAnUnrenderedDocumentAsDeleted() {
        assertThat(printed("deleted", Format.TABLE)).contains("rendered  not rendered  a/B/v1/c");
        assertThat(printed("deleted", Format.DIFF))
                .contains("not rendered a/B/v1/c\n! MissingDocumentKey: [a/B/v1, site, c]")
                .doesNotContain("deleted", "not compared");
        assertThat(printed("deleted", Format.MARKDOWN)).contains("<summary>not rendered <code>a/B/v1/c</code>");
        assertThat(printed("created", Format.DIFF))
                .contains("rendered again a/B/v1/c\n! before: MissingDocumentKey: [a/B/v1, site, c]");
    }

    @Test
    void shouldShowOnlyTheDifferentLinesOfAText() {
        String script = "echo something\n".repeat(100);
        DifferencesJson differences = new DifferencesJson(Redaction.CLEARTEXT, Long.MAX_VALUE);
        differences.rendered(KEY, data(script + "exit 0\n"), data(script + "exit 1\n"));
        String shown = """
                @ .script
                @@ -98,4 +98,4 @@
                  echo something
                  echo something
                  echo something
                - exit 0
                + exit 1
                """;
        assertThat(printed(differences, Format.DIFF)).endsWith(shown);
        assertThat(printed(differences, Format.MARKDOWN)).contains(shown);
    }

    @Test
    void shouldShowANewOrSingleLineTextAsYaml() {
        DifferencesJson differences = new DifferencesJson(Redaction.CLEARTEXT, Long.MAX_VALUE);
        differences.rendered(KEY, data("one"), data("other"));
        differences.rendered(KEY, MapValue.EMPTY, data("one\ntwo\n"));
        assertThat(printed(differences, Format.DIFF))
                .contains("@ .script\n- one\n+ other\n", "@ .script\n+ |\n+   one\n+   two\n");
    }

    private static MapValue data(String script) {
        return MapValue.of("script", new Text(script));
    }

    private static String printed(String difference, Format format) {
        DifferencesJson differences = new DifferencesJson(Redaction.CLEARTEXT, Long.MAX_VALUE);
        differences.unrendered(KEY, difference, PROBLEM);
        return printed(differences, format);
    }

    private static String printed(DifferencesJson differences, Format format) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        new DifferencesOutput(terminal.terminal()).print(differences.in(MapValue.EMPTY), format);
        return terminal.out().replace(System.lineSeparator(), "\n");
    }
}
