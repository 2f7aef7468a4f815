package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Readers and pruning meet at one entry: either the reader is seen, or it sees that its revision is going. */
class RevisionLeasesTest {

    private static final String WORKSPACE = "site-a";

    private final RevisionLeases leases = new RevisionLeases();

    private boolean isRemoved(long revision) {
        return leases.removeUnread(WORKSPACE, revision, () -> true).isPresent();
    }

    @Test
    void shouldRemoveNoRevisionThatIsRead() {
        RevisionLeases.Lease lease = leases.take(WORKSPACE, 1);

        assertThat(isRemoved(1)).isFalse();
        assertThat(isRemoved(2)).isTrue();
        assertThat(leases.removeUnread("site-b", 1, () -> true)).isPresent();
        lease.close();
        assertThat(isRemoved(1)).isTrue();
    }

    @Test
    void shouldLetNobodyBeginWhileARevisionIsRemoved() {
        Optional<Boolean> removed = leases.removeUnread(WORKSPACE, 1, () -> {
            assertThatThrownBy(() -> leases.take(WORKSPACE, 1)).isInstanceOf(RevisionGoneException.class);
            assertThatThrownBy(() -> leases.take(WORKSPACE, 3, 1)).isInstanceOf(RevisionGoneException.class);
            leases.take(WORKSPACE, 2).close();
            return true;
        });

        assertThat(removed).isPresent();
        assertThat(isRemoved(3)).as("nobody reads it").isTrue();
        leases.take(WORKSPACE, 1).close(); // to see for itself that it is gone
    }

    @Test
    void shouldLetReadersBeginAgainWhereARemovalFailed() {
        assertThatThrownBy(() -> leases.removeUnread(WORKSPACE, 1, () -> {
                    throw new IllegalStateException("the store is closed");
                }))
                .hasMessage("the store is closed");

        RevisionLeases.Lease lease = leases.take(WORKSPACE, 1);
        assertThat(isRemoved(1)).isFalse();
        lease.close();
    }

    @Test
    void shouldCountEachReaderOnce() {
        RevisionLeases.Lease first = leases.take(WORKSPACE, 1);
        RevisionLeases.Lease second = leases.take(WORKSPACE, 1);
        first.close();
        first.close();

        assertThat(isRemoved(1)).isFalse();
        second.close();
        assertThat(isRemoved(1)).isTrue();
    }
}
