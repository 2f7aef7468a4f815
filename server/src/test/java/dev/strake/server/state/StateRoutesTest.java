package dev.strake.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.secret.KeyedHash;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import dev.strake.server.http.TestRequests;
import dev.strake.server.metrics.Latencies;
import dev.strake.server.pipeline.ClosedStreams;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.store.RevisionGoneException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An instance owns a workspace whose stores are closed, because tasks are being assigned, released or replaced. */
class StateRoutesTest {

    @AutoClose
    private final ClosedStreams streams = new ClosedStreams();

    @Test
    void shouldAnswerNotReadyBeforeStoresAreOpen() throws IOException {
        assertIsNotReady();
    }

    @Test
    void shouldAnswerNotReadyWhileThePipelineStops() throws IOException {
        streams.close();
        assertIsNotReady();
    }

    /* During each attempt, new changes prune the revision that is being read. */
    @Test
    void shouldAskToRetryIfAWorkspaceChangesFasterThanItIsRead() throws IOException {
        AtomicInteger begun = new AtomicInteger();
        assertThat(refusal(() -> StateRoutes.attempt(() -> {
                    begun.incrementAndGet();
                    throw new RevisionGoneException(1);
                })))
                .contains("The workspace changes faster than it can be read");
        assertThat(begun).as("it is tried some times before").hasValueGreaterThan(2);
    }

    @Test
    void shouldExplainAnInvalidPlan() {
        Request request = TestRequests.of(
                "/workspaces/site-a/plan",
                Map.of("workspace", "site-a"),
                Map.of("type", List.of("nonsense"), "max-removals", List.of("-5")));
        assertThatThrownBy(() -> Plans.envelope(request, Limits.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("not a known type of change", "max-removals")
                .hasMessageNotContaining("Problem[");
    }

    private void assertIsNotReady() throws IOException {
        TopologySettings work = TopologySettings.of(1);
        StateRoutes routes = new StateRoutes(
                streams.placement(),
                new DryRun(work.intake(), work.rendering(), work.secrets()),
                KeyedHash.withRandomKey(),
                new Latencies(),
                Optional.empty());
        for (String from : List.of("active", "standby")) {
            Request request = TestRequests.of(
                    "/workspaces/site-a/changes/c",
                    Map.of("workspace", "site-a", "change", "c"),
                    Map.of("from", List.of(from)));
            assertThat(refusal(() -> routes.ofChange(request))).contains("\"code\":\"NotReady\"");
        }
    }

    private static String refusal(ThrowingCallable question) throws IOException {
        RefusedException refused = catchThrowableOfType(RefusedException.class, question);
        assertThat(refused.instead().status()).isEqualTo(503);
        return TestRequests.read(refused.instead());
    }
}
