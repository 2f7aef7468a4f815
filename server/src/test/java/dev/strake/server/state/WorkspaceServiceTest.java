package dev.strake.server.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.server.pipeline.ClosedStreams;
import dev.strake.server.state.Answer.Reason;
import dev.strake.server.state.Answer.Refused;
import dev.strake.server.state.Disclosure.Shown;
import dev.strake.server.state.WorkspaceService.Question;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.store.RevisionGoneException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While tasks are assigned, given back or replaced, an instance has a workspace, and its stores are closed. */
class WorkspaceServiceTest {

    private final ClosedStreams streams = new ClosedStreams();

    @AfterEach
    void stop() {
        streams.close();
    }

    @Test
    void shouldSayThatStateIsNotReadyBeforeStoresAreOpen() {
        assertIsNotReady();
    }

    @Test
    void shouldSayThatStateIsNotReadyWhileThePipelineStops() {
        streams.close();
        assertIsNotReady();
    }

    /* Each time that the revision is read somebody publishes so much that it is gone before the end. */
    @Test
    void shouldAskForPatienceWhereAWorkspaceChangesFasterThanItCanBeRead() {
        AtomicInteger begun = new AtomicInteger();
        Answer answer = WorkspaceService.attempt(() -> {
            begun.incrementAndGet();
            throw new RevisionGoneException(1);
        });
        assertThat(answer).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(Reason.NOT_NOW);
            assertThat(refused.message()).contains("The workspace changes faster than it can be read");
        });
        assertThat(begun).as("it is tried some times before").hasValueGreaterThan(2);
    }

    private void assertIsNotReady() {
        TopologySettings work = TopologySettings.of(1);
        WorkspaceService service = new WorkspaceService(
                streams.placement(),
                new DryRun(work.intake(), work.rendering(), work.secrets()),
                KeyedHash.withRandomKey());
        for (boolean fromStandby : new boolean[] {false, true}) {
            Answer answer = service.buckets(new Question(
                    "site-a",
                    Optional.empty(),
                    fromStandby,
                    Page.of(Optional.empty(), Optional.empty()),
                    new Shown(Redaction.STRUCTURE, false)));
            assertThat(answer).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.reason()).isEqualTo(Reason.NOT_NOW);
                assertThat(refused.code()).isEqualTo("NotReady");
            });
        }
    }
}
