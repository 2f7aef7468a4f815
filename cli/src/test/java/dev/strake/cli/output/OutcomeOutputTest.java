package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.serdes.outcome.OutcomeJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeOutputTest {

    private static final String REMOVAL = """
            {"workspace": "w", "changeId": "c", "type": "dev.strake.bucket.put", "bucket": "default",
             "status": "rendered", "revision": 2, "renderedRevision": 2,
             "documents": {"total": 2, "added": 0, "changed": 1, "removed": 29},
             "affected": 1, "evaluated": 1, "emitted": 1, "removed": 29, "rendered": 2,
             "contentHash": null, "problems": [], "warnings": [], "input": "t-0@1", "time": "2026-01-31T12:00:00Z"}
            """;

    /* Counts like 'get revisions' and 'get outcomes'. */
    @Test
    void shouldNotCountRemovedDocumentsAsEmitted() {
        CapturedTerminal terminal = CapturedTerminal.pipe();

        new OutcomeOutput(terminal.terminal())
                .print(
                        OutcomeJson.read(REMOVAL.getBytes(StandardCharsets.UTF_8)),
                        List.of("rendered a/B/v1/c", "removed  a/B/v1/d"));

        assertThat(terminal.out()).isEqualTo("""
                STATUS    REVISION  DOCUMENTS    AFFECTED  EVALUATED  EMITTED  RENDERED
                rendered  2         2 +0 ~1 -29  1         1          1        2
                  rendered a/B/v1/c
                  removed  a/B/v1/d
                  and 28 rendered documents
                change c
                """);
    }
}
