package dev.strake.server.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.client.Cluster;
import dev.strake.client.NewChange;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.server.access.Principal;
import dev.strake.server.events.Feed;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.TestRequests;
import dev.strake.server.metrics.Latencies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriterTest {

    @Test
    void shouldRefuseALateChangeWhileStopping() throws IOException {
        Cluster nowhere = Cluster.at("127.0.0.1:1");
        NewChange change = NewChange.ofBucket("site-a", "late", ChangeType.BUCKET_PUT, "b", List.of(), List.of());
        try (Feed feed = new Feed(nowhere, "strake.", 1, new Latencies());
                Writer writer = new Writer(nowhere, "strake.", feed, InstalledKeys.NONE)) {
            writer.releaseWaiting();
            RefusedException refused = catchThrowableOfType(
                    RefusedException.class, () -> writer.write(change, Principal.ANYBODY, Duration.ofMinutes(1)));
            assertThat(TestRequests.read(refused.instead())).contains("\"code\":\"Stopping\"");
        }
    }
}
