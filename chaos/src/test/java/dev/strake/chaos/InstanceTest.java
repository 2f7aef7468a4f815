package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InstanceTest {

    /* Scenarios that need them run for many minutes, and not in every build. */
    @Test
    void shouldFindTheOptionsOfTheLauncherForAService() {
        assertThat(Instance.ofLauncher())
                .contains("-Xss4m", "-XX:InitialRAMPercentage=100")
                .allSatisfy(option -> assertThat(option).startsWith("-X"));
    }
}
