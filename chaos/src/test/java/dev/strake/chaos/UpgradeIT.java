package dev.strake.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long form, of an upgrade: instances of an earlier build are replaced by those of the present one, over the same
 * topics and state folders, and an earlier one is tried once more.
 *
 * <pre>mvn -Pchaos verify -pl chaos -am -Dit.test=UpgradeIT -Dstrake.earlier=…/target/strake.jar</pre>
 */
@Tag("long")
class UpgradeIT {

    private static final String EARLIER = System.getProperty("strake.earlier", "");

    @Test
    void shouldKeepEveryPromiseOverAnUpgradeAndATryToGoBack() {
        assumeTrue(!EARLIER.isEmpty(), "an upgrade wants an earlier build: -Dstrake.earlier=PATH of its strake.jar");
        Path earlier = Path.of(EARLIER).toAbsolutePath();
        try (Run run = new Run("upgrade")) {
            Instance first = run.add().ofBuild(earlier);
            Instance second = run.add().ofBuild(earlier);
            run.begin(0, Run.PER_SECOND);
            run.letWork(10_000);
            for (Instance each : run.instances()) {
                run.inject(each, () -> {
                    each.stop();
                    each.ofBuild(null).start();
                    each.awaitReady();
                });
                run.letWork(3_000);
            }
            run.letWork(5_000);
            goBack(run, first, second, earlier);
            run.letWork(5_000);
            run.finish();
        }
    }

    /*
     * An earlier build may not know what the present one has stored. It has to say so and stop, and must not answer
     * anything in its own way: the present one then goes on as if nothing had been.
     */
    private static void goBack(Run run, Instance first, Instance second, Path earlier) {
        first.stop();
        second.stop();
        long before = run.outcomes();
        first.ofBuild(earlier).start();
        int code = first.awaitEndOr(Duration.ofMinutes(1), () -> run.outcomes() > before + 50);
        System.out.println("upgrade: back to the earlier build: "
                + (code == 0 ? "it goes on" : "it ends with " + code + ", " + first.lastLine()));
        if (first.isRunning()) {
            first.stop();
        } else {
            assertThat(code).isNotZero();
            assertThat(first.says()).contains("Nothing was skipped");
        }
        first.ofBuild(null).start();
        second.start();
        first.awaitReady();
        second.awaitReady();
    }
}
