package dev.strake.server.deckhand.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void shouldSayTheLineOnce() {
        byte[] unfinished = "{a: ".getBytes(StandardCharsets.UTF_8);
        Problem unreadable = null;
        try {
            new DocumentReader(Limits.DEFAULT).readDocuments(unfinished, TextFormat.YAML, "change");
        } catch (UnreadableTextException e) {
            unreadable = e.problem();
        }
        assertThat(Failures.sentence(unreadable))
                .startsWith("line 1, column 5: this is not YAML")
                .doesNotContain("(line 1)");

        Problem missing = Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, "is missing", null)
                .at(".schema")
                .at(unreadable.location());
        assertThat(Failures.sentence(missing)).isEqualTo(".schema is missing (line 1)");
    }
}
