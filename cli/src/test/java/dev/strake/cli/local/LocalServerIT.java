package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The server behind {@code strake up} and {@code strake demo}. */
class LocalServerIT {

    @Test
    void shouldRunTheDemoToItsEnd() {
        CapturedTerminal terminal = CapturedTerminal.screen(Map.of("COLUMNS", "80", "NO_COLOR", "1"))
                .run(ExitCode.FINE, "demo");
        assertThat(terminal.out().lines())
                .allMatch(line -> line.length() <= 80 || !line.strip().contains(" "));
        assertThat(terminal.out().replaceAll("\n +", " "))
                .contains(
                        "427 documents of a real telecom cloud in, 381 rendered documents out",
                        "6 of 381 rendered documents changed and were published",
                        "armada/Chart/v1  ucp-ceph-provisioners");
    }
}
