package dev.strake.local.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/skipped} over made-up reports, on machines that have and lack things. */
@DisabledOnOs(OS.WINDOWS)
class SkippedTestsTest {

    @TempDir
    Path directory;

    private Path project;
    private Path programs;

    @BeforeEach
    void machineOfAnOrdinaryUserWithNothing() throws IOException {
        project = Files.createDirectory(directory.resolve("project"));
        programs = Files.createDirectory(directory.resolve("bin"));
        program("id", "echo 1000");
        program("docker", "exit 1");
        program("apt-get", "exit 1");
    }

    @Test
    void shouldPassWhereEveryTestRan() throws Exception {
        report("service/target/surefire-reports", "a.B", "");
        assertThat(run()).isEqualTo("0\n");
    }

    @Test
    void shouldFailWhereNoTestRan() throws Exception {
        assertThat(run()).isEqualTo("1\n.ci/skipped: no test ran\n");
    }

    @Test
    void shouldCountAndAcceptWhatTheMachineCannotRun() throws Exception {
        report("service/target/failsafe-reports", "a.DockerIT", aborted("no Docker"), aborted("no Docker"));
        assertThat(run()).isEqualTo("0\n.ci/skipped: 2 of a.DockerIT not run here: no Docker\n");
    }

    @Test
    void shouldFailWhereTheMachineCouldRunIt() throws Exception {
        report("service/target/failsafe-reports", "a.DockerIT", aborted("no Docker"));
        program("docker", "exit 0");
        assertThat(run()).startsWith("1\n").contains("1 of a.DockerIT were skipped, and this machine can run them");
    }

    @Test
    void shouldFailForAReasonThatNobodyAccepted() throws Exception {
        report("engine/target/surefire-reports", "a.B", "<skipped message=\"flaky\"/>");
        assertThat(run()).startsWith("1\n").contains("a.B were skipped").endsWith(": flaky\n");
        report("engine/target/surefire-reports", "a.B", "<skipped/>");
        assertThat(run()).startsWith("1\n").contains("a.B were skipped");
    }

    @Test
    void shouldAcceptAMissingProgramOnlyWhereItCannotBeInstalled() throws Exception {
        report("service/target/surefire-reports", "a.B", aborted("no promtool"));
        program("id", "echo 0");
        program("apt-get", "exit 0");
        assertThat(run()).startsWith("1\n");
        program("apt-get", "exit 100");
        if (!isHere("promtool")) {
            assertThat(run()).startsWith("0\n");
        }
        program("promtool", "exit 0");
        assertThat(run()).startsWith("1\n");
    }

    @Test
    void shouldAcceptAMissingCorpusOnlyWhereItIsMissing() throws Exception {
        String reason = "Assumption failed: no aiab without the corpus: -Dstrake.corpus=DIR says where it is";
        report("topology/target/surefire-reports", "a.B", aborted(reason));
        assertThat(run()).startsWith("0\n");
        Files.createDirectories(directory.resolve("shared/corpus"));
        assertThat(run()).startsWith("1\n");
    }

    @Test
    void shouldPassOverReportsOfAnEarlierBuild() throws Exception {
        Path old = report("service/target/surefire-reports", "a.B", aborted("no reason"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(60)));
        Path since = Files.createFile(directory.resolve("since"));
        assertThat(run(since.toString())).contains("no test ran");
        Path fresh = report("service/target/surefire-reports", "a.C", "");
        Files.setLastModifiedTime(fresh, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(run(since.toString())).isEqualTo("0\n");
    }

    private static String aborted(String reason) {
        String type = "org.opentest4j.TestAbortedException";
        return "<skipped type=\"" + type + "\"><![CDATA[" + type + ": " + reason
                + "\n\tat a.B.c(B.java:7)\n]]></skipped>";
    }

    private Path report(String folder, String name, String... testCases) throws IOException {
        StringBuilder xml = new StringBuilder("<testsuite name=\"" + name + "\">\n");
        for (String testCase : testCases) {
            xml.append("  <testcase name=\"should\" classname=\"" + name + "\" time=\"0.0\">\n    " + testCase
                    + "\n  </testcase>\n");
        }
        Path reports = Files.createDirectories(project.resolve(folder));
        return Files.writeString(reports.resolve("TEST-" + name + ".xml"), xml.append("</testsuite>\n"));
    }

    private void program(String name, String body) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static boolean isHere(String program) {
        return List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /* The exit code, a line of its own, and all that was written. */
    private String run(String... more) throws IOException, InterruptedException {
        Path script = DeployedFiles.PROJECT.resolve(".ci/skipped");
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), project.toString());
        builder.command().addAll(List.of(more));
        builder.environment().merge("PATH", programs.toString(), (path, first) -> first + File.pathSeparator + path);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() + "\n" + output;
    }
}
