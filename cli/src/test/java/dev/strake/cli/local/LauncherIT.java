package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script in a temporary project. Its {@code mvn} is a script that records its calls and copies the real
 * jar to its place, because the real project must not be built during its own build.
 */
@Order(1) // slow: starts first
@DisabledOnOs(OS.WINDOWS)
class LauncherIT {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    /** A project for tests that do not test the first use. The first of these tests builds it. */
    @TempDir
    static Path used;

    @TempDir
    Path directory;

    private Path root;
    private Path calls;

    @BeforeAll
    static void createUsed() throws IOException {
        create(used);
    }

    @BeforeEach
    void createOwn() throws IOException {
        root = Files.createDirectory(directory.resolve("my projects"));
        calls = root.resolve("calls");
        create(root);
    }

    private static void create(Path project) throws IOException {
        Files.copy(PROJECT.resolve("strake"), project.resolve("strake"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(project.resolve("pom.xml"), "<project/>");
        Files.createDirectories(project.resolve("service/src/main"));
        Files.writeString(project.resolve("service/pom.xml"), "<project/>");
        Path built = PROJECT.resolve("cli/target");
        script(project.resolve("bin/mvn"), """
                echo mvn "$@" >>'%s'
                echo '[INFO] Building Strake engine 0.1.0-SNAPSHOT              [2/9]'
                echo '[INFO] Building jar: engine.jar'
                cp '%s' cli/target/strake.jar
                ln -sfn '%s' cli/target/lib
                """.formatted(
                        project.resolve("calls"), built.resolve("strake.jar"), built.resolve("lib")));
    }

    @AfterEach
    void leaveTheRealJars() throws IOException {
        Files.deleteIfExists(root.resolve("cli/target/lib"));
    }

    @AfterAll
    static void leaveTheRealJarsOfTheUsedOne() throws IOException {
        Files.deleteIfExists(used.resolve("cli/target/lib"));
    }

    @Test
    void shouldBuildOnceForParallelStartsAndAgainForANewerSource() throws Exception {
        List<Process> together = List.of(
                start(root, root.resolve("strake"), "--version"), start(root, root.resolve("strake"), "--version"));
        List<Result> first = List.of(result(together.get(0)), result(together.get(1)));
        assertThat(first).allMatch(each -> each.code() == 0 && each.out().startsWith("strake "));
        assertThat((first.get(0).err() + first.get(1).err()).lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("strake: building").hasSizeLessThan(80),
                        line -> assertThat(line).isEqualTo("strake:   [2/9] Strake engine"));

        Result second = launch(root, root.resolve("strake"), "--version");
        assertThat(second).isEqualTo(new Result(0, first.get(0).out(), ""));
        assertThat(calls).content().hasLineCount(1);

        Path source = Files.writeString(root.resolve("service/src/main/New.java"), "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(launch(root, root.resolve("strake"), "--version").err()).startsWith("strake: building");
        assertThat(calls).content().hasLineCount(2);

        Result up = launch(root, root.resolve("strake"), "up", "--http-port=0", "--kafka-port=0", "--data=pom.xml");
        assertThat(up.code()).as(up.err()).isEqualTo(2);
    }

    /* A user without the right to write would otherwise wait for a build by nobody. */
    @Test
    void shouldSayThatItCannotBuild() throws Exception {
        Path inTheWay =
                Files.writeString(Files.createDirectories(root.resolve("cli")).resolve("target"), "in the way");

        Result refused = launch(root, root.resolve("strake"), "--version");

        Files.delete(inTheWay);
        assertThat(refused.code()).isEqualTo(70);
        assertThat(refused.err())
                .startsWith("strake: cannot write to " + root.toRealPath().resolve("cli/target"));
    }

    @Test
    void shouldLoadClassesFromTheArchive() throws Exception {
        Path loaded = directory.resolve("loaded");
        launch(root, used.resolve("strake"), "--version"); // builds it, if no other test did
        result(start(
                root, used.resolve("strake"), Map.of("STRAKE_JAVA_OPTS", "-Xlog:class+load:file=" + loaded), "--help"));
        assertThat(loaded)
                .content()
                .contains("picocli.CommandLine source: shared objects file")
                .doesNotContain("source: file:");
    }

    @Test
    void shouldArchiveTheClassesOfTheFirstRunWithABroker() throws Exception {
        Path archive = used.resolve("cli/target/local.jsa");
        Path loaded = directory.resolve("loaded");
        Path noFolder = Files.createFile(root.resolve("file"));
        String[] failing = {"up", "--http-port=0", "--kafka-port=0", "--data=" + noFolder};
        launch(root, used.resolve("strake"), failing);
        Files.deleteIfExists(archive);
        Path inTheWay = Files.createDirectories(archive.resolve("in-the-way")); // makes the archive unwritable
        Result unwritable = launch(root, used.resolve("strake"), failing);
        assertThat(unwritable.code()).isEqualTo(2);
        assertThat(unwritable.out() + unwritable.err()).doesNotContain("archive");
        Files.delete(inTheWay);
        Files.delete(archive);
        Path ofCommands = archive.resolveSibling("strake.jsa");
        // An archive of another JDK, or of a moved checkout, is ignored like a missing one.
        Path aside = Files.move(ofCommands, root.resolve("strake.jsa"));
        assertThat(launch(root, used.resolve("strake"), failing).code()).isEqualTo(2);
        Files.move(aside, ofCommands);
        launch(root, used.resolve("strake"), "demo", "--help");
        Result first = launch(root, used.resolve("strake"), "demo");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(Files.size(archive)).isGreaterThan(40 << 20);
        FileTime made = Files.getLastModifiedTime(archive);

        result(start(
                root, used.resolve("strake"), Map.of("STRAKE_JAVA_OPTS", "-Xlog:class+load:file=" + loaded), failing));

        assertThat(loaded)
                .content()
                .contains("dev.strake.server.broker.EmbeddedBroker source: shared objects file (top)");
        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
    }

    @Test
    void shouldRunFromAnywhereThroughLinks() throws Exception {
        Path elsewhere = Files.createDirectories(root.resolve("else where"));
        Path link = Files.createSymbolicLink(
                elsewhere.resolve("near"),
                elsewhere.toRealPath().relativize(used.toRealPath().resolve("strake")));
        Path farLink = Files.createSymbolicLink(elsewhere.resolve("far"), link);

        assertThat(launch(elsewhere, farLink, "--version").out()).startsWith("strake ");
    }

    /* Uses the script command of util-linux, which gives a command a terminal. */
    @Test
    void shouldPassOnTheWidthOfTheTerminal() throws Exception {
        Path terminal = Path.of("/usr/bin/script");
        assumeTrue(Files.isExecutable(terminal)
                && result(start(root, terminal, "--version")).code() == 0);
        launch(root, used.resolve("strake"), "--version"); // builds it, if no other test did
        Files.writeString(
                root.resolve("site.yaml"), """
                schema: deckhand/LayeringPolicy/v1
                metadata: {name: p}
                data: {layerOrder: [site]}
                ---
                schema: example/Thing/v1
                metadata: {name: thing, layeringDefinition: {layer: site}}
                data: {said: "%s"}
                """.formatted("word ".repeat(30).strip()));
        String explain = used.resolve("strake") + " explain site.yaml --document example/Thing/v1/thing";
        for (int columns : List.of(60, 90)) {
            String typed = "stty cols " + columns + "; exec " + explain;
            Result result =
                    result(start(root, terminal, Map.of("COLUMNS", "", "TERM", "dumb"), "-qec", typed, "/dev/null"));
            assertThat(result.code()).as(result.out()).isZero();
            assertThat(result.out().lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= columns);
        }
    }

    @Test
    void shouldReturnTheExitCodeOfTheCommand() throws Exception {
        Result result = launch(root, used.resolve("strake"), "no-such-command");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("no-such-command");
    }

    @Test
    void shouldPassOnVariablesWithNamesThatAShellCannotWrite() throws Exception {
        Files.writeString(root.resolve("base.yml"), "[((a-b)), ((c.d))]");
        Result result = launch(root, used.resolve("strake"), "interpolate", "base.yml", "--vars-env", "SITE");
        assertThat(result.out()).isEqualTo("- 1\n- two\n");
    }

    @Test
    void shouldShowTheLogOfAFailedBuild() throws Exception {
        script(root.resolve("bin/mvn"), "echo '[INFO] all is well'; echo 'no such artefact'; exit 1");
        Result result = launch(root, root.resolve("strake"), "--version");
        assertThat(result.code()).isEqualTo(70);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("no such artefact", "the build failed", "launcher.log")
                .doesNotContain("all is well");
    }

    @Test
    void shouldFindAnAnnouncedKeyManagementService() throws Exception {
        Path library = library("Paper", "paper-kms://");
        Path services = Files.createDirectories(library.resolve("META-INF/services"));
        Files.writeString(services.resolve("com.google.crypto.tink.KmsClient"), "Paper\n");

        String[] create = {"keys", "create", "keyset", "--kms", "paper-kms://a"};
        assertThat(launch(root, used.resolve("strake"), create).err())
                .contains("no key management service supports paper-kms://a");
        Result created = result(start(root, used.resolve("strake"), with(library), create));
        assertThat(created.code()).as(created.err()).isZero();
        assertThat(root.resolve("keyset")).content().contains("encryptedKeyset").doesNotContain("\"value\"");
        assertThat(result(start(root, used.resolve("strake"), with(library), "keys", "list", "keyset"))
                        .out())
                .isEqualTo(created.out());
    }

    /* A stand-in with the name of Tink's class: the real one is not registered as a service, and calls Google. */
    @Test
    void shouldFindAnUnannouncedKeyManagementServiceOfTink() throws Exception {
        Path library = library("com.google.crypto.tink.integration.gcpkms.GcpKmsClient", "gcp-kms://");
        String[] create = {"keys", "create", "keyset", "--kms", "gcp-kms://projects/p"};

        Result created = result(start(root, used.resolve("strake"), with(library), create));

        assertThat(created.code()).as(created.err()).isZero();
    }

    private Map<String, String> with(Path library) throws IOException {
        return Map.of("STRAKE_CLASS_PATH", Files.createDirectories(root.resolve("more")) + "/*:" + library);
    }

    /* Compiles a KMS client as an operator with a custom service would write it. */
    private Path library(String className, String prefix) throws IOException {
        Path library = Files.createDirectories(root.resolve("library"));
        int dot = className.lastIndexOf('.');
        String name = className.substring(dot + 1);
        Path source = Files.writeString(root.resolve(name + ".java"), """
                %s
                import com.google.crypto.tink.Aead;
                import com.google.crypto.tink.KmsClient;
                import com.google.crypto.tink.subtle.AesGcmJce;
                public class %s implements KmsClient {
                    public boolean doesSupport(String uri) { return uri.startsWith("%s"); }
                    public KmsClient withCredentials(String path) { return this; }
                    public KmsClient withDefaultCredentials() { return this; }
                    public Aead getAead(String uri) throws java.security.GeneralSecurityException {
                        return new AesGcmJce(new byte[32]);
                    }
                }
                """.formatted(
                        dot < 0 ? "" : "package " + className.substring(0, dot) + ";", name, prefix));
        String path = System.getProperty("java.class.path");
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", path, "-d", library.toString(), source.toString());
        assertThat(code).isZero();
        return library;
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\nset -e\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Result launch(Path directory, Path command, String... arguments) throws Exception {
        return result(start(directory, command, arguments));
    }

    private Process start(Path directory, Path command, String... arguments) throws IOException {
        return start(directory, command, Map.of(), arguments);
    }

    private Process start(Path directory, Path command, Map<String, String> variables, String... arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.toString()).directory(directory.toFile());
        builder.command().addAll(List.of(arguments));
        Map<String, String> environment = builder.environment();
        environment.putAll(Map.of("SITE_a-b", "1", "SITE_c.d", "two"));
        environment.put("PATH", command.toRealPath().resolveSibling("bin") + ":" + environment.get("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.putAll(variables);
        return builder.start();
    }

    private static Result result(Process process) throws Exception {
        // These commands print less than a pipe buffers, so reading the pipes one after the other cannot block.
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), out, err);
    }

    private record Result(int code, String out, String err) {}
}
