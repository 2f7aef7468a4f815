package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;

/** What {@code strake up} and {@code strake demo} consist of. */
class LocalServerIT {

    @Test
    void shouldRunTheDemoToItsEnd() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "demo"))
                .as(() -> terminal.err())
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("427 documents of a real telecom cloud in, 381 rendered documents out")
                .contains("6 of 381 rendered documents came out different")
                .contains("armada/Chart/v1  ucp-ceph-provisioners");
    }
}
