package dev.strake.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.local.deploy.Tool;
import dev.strake.local.git.GitOverHttps;
import dev.strake.local.git.GitOverSsh;
import dev.strake.testing.TestAuthority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a repository to another one, over https with an authority that only the test knows, and over ssh with keys that only
 * the test knows. OpenSSH makes the connections, as in production.
 */
class GitTransportsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String PASSWORD = "planted-password-2b7f";

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final TestAuthority authority = TestAuthority.create();
    private TestStrake strake;
    private String workspace;
    private Git origin;
    private Git target;
    private GitOverHttps https;
    private GitOverSsh ssh;
    private GitOverHttps httpsTarget;
    private GitOverSsh sshTarget;

    @BeforeEach
    void start(TestInfo test) throws Exception {
        Tool.named("ssh");
        strake = TestStrake.shared();
        workspace = test.getTestMethod().orElseThrow().getName();
        origin = Git.init()
                .setDirectory(directory.resolve("origin").toFile())
                .setInitialBranch("main")
                .call();
        target = Git.init()
                .setBare(true)
                .setDirectory(directory.resolve("target.git").toFile())
                .setInitialBranch("main")
                .call();
        KeyPair host = keyPair();
        KeyPair user = keyPair();
        https = new GitOverHttps(origin.getRepository(), authority, "ada", PASSWORD);
        httpsTarget = new GitOverHttps(target.getRepository(), authority, "ada", PASSWORD);
        ssh = new GitOverSsh(origin.getRepository(), host, user.getPublic());
        sshTarget = new GitOverSsh(target.getRepository(), host, user.getPublic());
        opened.addAll(List.of(https, httpsTarget, ssh, sshTarget, origin, target));
        sshProgram("ssh", host, user);
        sshProgram("ssh-elsewhere", keyPair(), user);
        trustStore("trusted.p12", authority);
        trustStore("others.p12", TestAuthority.create());
        for (String name : List.of("by-https", "by-ssh")) {
            commit(name, "1");
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void shouldFetchOverHttpsAndSsh() throws Exception {
        publishResources();
        fetch("ssh", "trusted.p12");
        await().atMost(PATIENCE).until(() -> rendered().contains("value: by-https 1"));
        await().atMost(PATIENCE).until(() -> rendered().contains("value: by-ssh 1"));
        commit("by-https", "2");
        commit("by-ssh", "2");
        await().atMost(PATIENCE).until(() -> rendered().contains("value: by-https 2"));
        await().atMost(PATIENCE).until(() -> rendered().contains("value: by-ssh 2"));
        assertThat(log("fetch")).doesNotContain(PASSWORD);
    }

    @Test
    void shouldFetchFromNobodyItDoesNotKnow() throws Exception {
        publishResources();
        fetch("ssh-elsewhere", "others.p12");
        // Its fetcher has resources of other tests, too.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log("fetch")).contains(workspace + " by-https", workspace + " by-ssh"));
        assertThat(log("fetch"))
                .contains("SourceUnreachable", "not trusted")
                .doesNotContain(PASSWORD)
                .doesNotContain("by-https 1", "by-ssh 1");
        assertThat(rendered()).doesNotContain("by-https 1", "by-ssh 1");
    }

    @Test
    void shouldPushOverHttpsAndSsh() throws Exception {
        publish(thing("pushed", "1"));
        assertThat(apply("by-https", "ssh", "trusted.p12", httpsTarget.url())).isZero();
        assertThat(file("example/Thing/v1/pushed.yaml")).contains("value: 1");
        publish(thing("pushed", "2"));
        assertThat(apply("by-ssh", "ssh", "trusted.p12", sshTarget.url())).isZero();
        assertThat(file("example/Thing/v1/pushed.yaml")).contains("value: 2");

        publish(thing("pushed", "3"));
        assertThat(apply("mistrusted", "ssh", "others.p12", httpsTarget.url())).isNotZero();
        assertThat(apply("unknown-host", "ssh-elsewhere", "trusted.p12", sshTarget.url()))
                .isNotZero();
        assertThat(file("example/Thing/v1/pushed.yaml")).contains("value: 2");
        for (String name : List.of("by-https", "by-ssh", "mistrusted", "unknown-host")) {
            assertThat(log(name)).as(name).isNotEmpty().doesNotContain(PASSWORD);
        }
    }

    private void fetch(String program, String trust) throws IOException {
        run(
                "fetch",
                program,
                trust,
                "fetch",
                "--group",
                workspace,
                "--allow-private",
                "127.0.0.1",
                "--state",
                state("fetch"));
    }

    private int apply(String name, String program, String trust, String url) throws Exception {
        Process process = run(
                name,
                program,
                trust,
                "apply",
                "-w",
                workspace,
                "--git",
                url,
                "--branch",
                "main",
                "--once",
                "--state",
                state(name));
        // Without --once's patience a target that cannot be reached is tried again for ever: what it says is enough.
        await().atMost(PATIENCE).until(() -> !process.isAlive() || log(name).contains("again"));
        return process.isAlive() ? -1 : process.exitValue();
    }

    private Process run(String name, String program, String trust, String... arguments) throws IOException {
        Process process = strake.program(
                directory.resolve(name + ".log"),
                Map.of(
                        "GIT_SSH",
                        directory.resolve(program).toString(),
                        "STRAKE_GIT_USER",
                        "ada",
                        "STRAKE_GIT_PASSWORD",
                        PASSWORD),
                List.of(
                        "-Djavax.net.ssl.trustStore=" + directory.resolve(trust),
                        "-Djavax.net.ssl.trustStorePassword=changeit"),
                arguments);
        started.add(process);
        return process;
    }

    private String state(String name) {
        return directory.resolve("state-" + name).toString();
    }

    private String log(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }

    private static KeyPair keyPair() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    /** A program for GIT_SSH that has one key, and knows one host. */
    private void sshProgram(String name, KeyPair host, KeyPair user) throws IOException {
        Path key = Files.writeString(
                directory.resolve(name + ".key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(user.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Path known = Files.writeString(
                directory.resolve(name + ".hosts"), "* " + PublicKeyEntry.toString(host.getPublic()) + "\n");
        Path program = Files.writeString(directory.resolve(name), """
            #!/bin/sh
            exec ssh -F none -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=yes \\
                -o UserKnownHostsFile=%s -o GlobalKnownHostsFile=/dev/null -i %s "$@"
            """.formatted(known, key));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private void trustStore(String name, TestAuthority trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(trusted.pem().getBytes(UTF_8))));
        try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
            store.store(out, "changeit".toCharArray());
        }
    }

    private void commit(String name, String version) throws Exception {
        Path file = directory.resolve("origin").resolve(name + "/thing.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, thing(name, name + " " + version));
        origin.add().addFilepattern(".").call();
        origin.commit()
                .setMessage(version)
                .setAuthor("a", "a@example.org")
                .setCommitter("a", "a@example.org")
                .setSign(false)
                .call();
    }

    private static String thing(String name, String value) {
        return """
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data: {value: %s}
            """.formatted(name, value);
    }

    private void publishResources() {
        String basic = Base64.getEncoder().encodeToString(("ada:" + PASSWORD).getBytes(UTF_8));
        publish(resource("by-https", https.url(), "headers: {Authorization: Basic " + basic + "}")
                + resource("by-ssh", ssh.url(), "headers: {}"));
    }

    private static String resource(String name, String url, String headers) {
        return """
            ---
            schema: razee/RemoteResource/v1alpha2
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: encrypted
              layeringDefinition: {layer: site}
            data:
              backendService: git
              interval: 1s
              requests:
              - options:
                  git: {provider: git, repo: '%s', branch: main, filePath: %s}
                  %s
            """.formatted(name, url, name, headers);
    }

    private void publish(String documents) {
        strake.publish(workspace, documents, "-b", "by-hand");
    }

    private String rendered() {
        return strake.rendered(workspace);
    }

    /** A file as the branch has it now. */
    private String file(String path) throws Exception {
        Repository repository = target.getRepository();
        RevCommit head = repository.parseCommit(repository.resolve("refs/heads/main"));
        try (TreeWalk walk = TreeWalk.forPath(repository, path, head.getTree())) {
            return new String(repository.open(walk.getObjectId(0)).getBytes(), UTF_8);
        }
    }
}
