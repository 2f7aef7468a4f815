package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.output.DifferencesOutput.Format;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.DifferencesJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DifferencesOutputTest {

    private static final DocumentKey KEY = new DocumentKey("a/B/v1", "c");
    private static final Problem PROBLEM = Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, "there is no .x", "add it")
            .on(new DocumentId("a/B/v1", "site", "c"));

    @Test
    void shouldNotCallDeletedWhatCouldNotBeRendered() {
        assertThat(printed("deleted", Format.TABLE)).contains("rendered  not rendered  a/B/v1/c");
        assertThat(printed("deleted", Format.DIFF))
                .contains("not rendered a/B/v1/c\n! MissingDocumentKey: [a/B/v1, site, c]")
                .doesNotContain("deleted", "not compared");
        assertThat(printed("deleted", Format.MARKDOWN)).contains("<summary>not rendered <code>a/B/v1/c</code>");
        assertThat(printed("created", Format.DIFF))
                .contains("rendered again a/B/v1/c\n! before: MissingDocumentKey: [a/B/v1, site, c]");
    }

    private static String printed(String difference, Format format) {
        DifferencesJson differences = new DifferencesJson(Long.MAX_VALUE);
        differences.unrendered(KEY, difference, PROBLEM);
        StringWriter out = new StringWriter();
        new DifferencesOutput(new Pipe(new PrintWriter(out))).print(differences.in(MapValue.EMPTY), format);
        return out.toString().replace(System.lineSeparator(), "\n");
    }

    private record Pipe(PrintWriter out) implements Screen {

        @Override
        public String bold(String line) {
            return line;
        }

        @Override
        public int columns() {
            return Integer.MAX_VALUE;
        }
    }
}
