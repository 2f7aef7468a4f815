package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.derivation.Derivation;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import org.junit.jupiter.api.Test;

/** Reads of an owner are recorded, and their number is limited. */
class OwnerReadsTest {

    private static final DocumentId OWNER = new DocumentId("t/A/v1", "top", "a");

    private final OwnerReads reading = reading(new ReadLimit(Long.MAX_VALUE), OWNER);

    @Test
    void shouldRejectAnOwnerThatReadsTooMuch() throws Exception {
        for (int i = 0; i < Derivation.MOST_READS; i++) {
            reading.content(key(i));
        }
        reading.content(key(0)); // repeated

        assertThatThrownBy(() -> reading.content(key(Derivation.MOST_READS)))
                .isInstanceOfSatisfying(EvaluationException.class, e -> {
                    assertThat(e.toProblem(OWNER).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
                    assertThat(e).hasMessage("reads more than 200000 values of other documents");
                });
    }

    @Test
    void shouldAcceptReadsBeyondALoweredLimitThatDoNotGrow() {
        long before = 2 * ReadLimit.MOST;
        ReadLimit ofChange = new ReadLimit(before);
        assertThatCode(() -> ofChange.check(before)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ofChange.check(before + 1))
                .isInstanceOfSatisfying(
                        ChangeEffort.ExceededException.class,
                        e -> assertThat(e.toProblem().hint())
                                .isEqualTo("let them read fewer documents, or shorten their paths and names"));
    }

    private static OwnerReads reading(ReadLimit held, DocumentId owner) {
        return new OwnerReads(
                new OwnerReads.Snapshot(
                        Graph.EMPTY,
                        new TestWorkspace(),
                        null,
                        new ChangeEffort(Long.MAX_VALUE),
                        new ReadCache(),
                        held),
                RenderLimits.NONE.budget(),
                owner,
                false);
    }

    private static DocumentKey key(int number) {
        return new DocumentKey("t/A/v1", "n" + number);
    }
}
