package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.server.pipeline.Pipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every supervisor waits as long as a shutdown may take, and does not restart after errors that would recur. */
class GracePeriodsTest {

    /** The time to stop everything beside the pipeline: HTTP, accepted changes, events, the JVM. */
    private static final Duration LONGEST_STOP = Pipeline.LONGEST_CLOSE.plusSeconds(50);

    private static final Path SET = DeployedFiles.DEPLOY.resolve("kustomize/base/statefulset.yaml");
    private static final Path UNIT = DeployedFiles.DEPLOY.resolve("systemd/strake.service");

    @Test
    void shouldLetThePipelineStopBeforeTheProcessIsKilled() throws Exception {
        JsonNode compose = DeployedFiles.document(DeployedFiles.PROJECT.resolve("docker-compose.yml"));
        String inCompose = compose.at("/services/strake/stop_grace_period").asText();
        assertThat(Duration.parse("PT" + inCompose)).isGreaterThan(LONGEST_STOP);
        JsonNode pod = DeployedFiles.document(SET).at("/spec/template/spec");
        assertThat(Duration.ofSeconds(pod.get("terminationGracePeriodSeconds").asLong()))
                .isGreaterThan(LONGEST_STOP);
        assertThat(Duration.ofSeconds(Long.parseLong(ofUnit("TimeoutStopSec")))).isGreaterThan(LONGEST_STOP);
    }

    /* Before its HTTP server starts, the service sends Kafka some requests, each with a timeout of half a minute. */
    @Test
    void shouldNotKillAPodThatIsStartingOrRestoring() throws Exception {
        JsonNode container = DeployedFiles.document(SET).at("/spec/template/spec/containers/0");
        JsonNode startup = container.get("startupProbe");
        assertThat(startup.get("periodSeconds").asInt()
                        * startup.get("failureThreshold").asInt())
                .isGreaterThanOrEqualTo(120);
        assertThat(startup.at("/httpGet/path").asText()).isEqualTo("/health/started");
        assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/health/live");
    }

    @Test
    void shouldNotRestartAMisconfiguredService() throws Exception {
        assertThat(ofUnit("Restart")).isEqualTo("on-failure");
        assertThat(ofUnit("RestartPreventExitStatus")).isEqualTo(Integer.toString(ExitCode.USAGE));
    }

    private static String ofUnit(String setting) throws Exception {
        Matcher line = Pattern.compile("(?m)^" + setting + "=(.*)$").matcher(Files.readString(UNIT));
        assertThat(line.find()).as(setting).isTrue();
        return line.group(1);
    }
}
