package dev.strake.cli.question;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListTableTest {

    @Test
    void shouldShowSourceAuthorAndMessageOfARevisionInColumns() {
        MapValue put = revision(1, "dev.strake.bucket.put", new Text("default"))
                .with("principal", new Text("ci-site"))
                .with("author", new Text("Ann"))
                .with("message", new Text("more replicas\nas asked for"));
        MapValue rollback =
                revision(2, "dev.strake.revision.rollback", Null.NULL).with("restored", Num.of(0));
        assertThat(table(put, rollback)).isEqualToNormalizingNewlines("""
                REV  TIME                  STATUS    CHANGE           DOCUMENTS  EMITTED  TAGS  PRINCIPAL  AUTHOR  MESSAGE
                1    2026-01-31T12:00:00Z  rendered  publish default  +1 ~0 -0   1        -     ci-site    Ann     more replicas
                2    2026-01-31T12:00:00Z  rendered  rollback to 0    +1 ~0 -0   1        -     -          -       -
                """);
    }

    @Test
    void shouldFitATypicalRevisionIntoEightyColumns() {
        MapValue tagged = revision(412, "dev.strake.bucket.put", new Text("default"))
                .with("tags", MapValue.of("v1", MapValue.EMPTY));
        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "80", "NO_COLOR", "1"));
        ListTable.of(GetCommand.Kind.REVISIONS, List.of(tagged)).print(screen.terminal());
        assertThat(screen.out()).isEqualToNormalizingNewlines("""
                REV  TIME                  STATUS    CHANGE           DOCUMENTS  EMITTED  TAGS
                412  2026-01-31T12:00:00Z  rendered  publish default  +1 ~0 -0   1        v1
                """);
    }

    @Test
    void shouldLabelTheTimeOfATagAsThatOfItsRevision() {
        MapValue tag = MapValue.of("tag", new Text("v1"))
                .with("revision", Num.of(7))
                .with("time", new Text("2026-01-31T12:00:00.123Z"))
                .with("data", MapValue.EMPTY);
        CapturedTerminal pipe = CapturedTerminal.pipe();
        ListTable.of(GetCommand.Kind.TAGS, List.of(tag)).print(pipe.terminal());
        assertThat(pipe.out()).isEqualToNormalizingNewlines("""
                TAG  REVISION  REVISION OF           DATA
                v1   7         2026-01-31T12:00:00Z  -
                """);
    }

    @Test
    void shouldCountWaitingDocumentsOfAnUnlistedCause() {
        MapValue cause = MapValue.of("schema", new Text("a/A/v1")).with("name", new Text("z"));
        Value waiting = MapValue.of("waitsFor", cause);
        MapValue outcome = revision(3, "dev.strake.bucket.put", new Text("default"))
                .with("changeId", new Text("c"))
                .with("problems", ListValue.of(Collections.nCopies(Outcome.MOST_PROBLEMS, waiting)));
        CapturedTerminal pipe = CapturedTerminal.pipe();
        ListTable.of(GetCommand.Kind.OUTCOMES, List.of(outcome)).print(pipe.terminal());
        assertThat(pipe.out()).isEqualToNormalizingNewlines("""
                TIME                  STATUS    REVISION  DOCUMENTS  EMITTED  PROBLEMS   CHANGE
                2026-01-31T12:00:00Z  rendered  3         +1 ~0 -0   1        100+ wait  c
                """);
    }

    private static MapValue revision(long number, String type, Value bucket) {
        return MapValue.builder()
                .put("revision", Num.of(number))
                .put("time", new Text("2026-01-31T12:00:00.123Z"))
                .put("type", new Text(type))
                .put("bucket", bucket)
                .put("status", new Text("rendered"))
                .put(
                        "documents",
                        MapValue.builder()
                                .put("added", Num.of(1))
                                .put("changed", Num.of(0))
                                .put("removed", Num.of(0))
                                .build())
                .put("emitted", Num.of(1))
                .build();
    }

    private static String table(Value... items) {
        CapturedTerminal pipe = CapturedTerminal.pipe();
        ListTable.of(GetCommand.Kind.REVISIONS, List.of(items)).print(pipe.terminal());
        return pipe.out();
    }
}
