package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Text;
import org.junit.jupiter.api.Test;

/** What reads found, within a number of bytes. */
class KeptReadsTest {

    private static final KeptReads.Kept FOUND =
            new KeptReads.Kept(new Fingerprint(1, 1), new Text("x".repeat(100)), 1, 1);

    @Test
    void shouldKeepWhatWasUsedLastAndNoMoreThanThereIsRoomFor() {
        KeptReads reads = new KeptReads(4_000);
        for (int i = 0; i < 100; i++) {
            reads.put(new Fingerprint(0, i), ".a", FOUND);
            reads.get(new Fingerprint(0, 0), ".a");
        }

        assertThat(reads.get(new Fingerprint(0, 0), ".a")).isEqualTo(FOUND);
        assertThat(reads.get(new Fingerprint(0, 1), ".a")).isNull();
        assertThat(reads.get(new Fingerprint(0, 99), ".a")).isEqualTo(FOUND);
        assertThat(reads.get(new Fingerprint(0, 99), ".b")).isNull();
    }

    @Test
    void shouldNotShowWhatWasFound() {
        assertThat(FOUND.toString()).doesNotContain("x");
    }
}
