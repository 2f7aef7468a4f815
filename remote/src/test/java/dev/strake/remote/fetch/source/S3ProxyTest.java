package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.attempt.Story.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.resource.RemoteResource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An independent S3 server: S3Proxy, in a separate JVM, because it needs another version of Jetty. It verifies
 * signatures of version 4 and lists at most 1,000 keys a page. Its objects are files.
 */
class S3ProxyTest {

    private static final String ID = "an-identity";
    private static final String SECRET = "planted-secret-of-s3";

    @TempDir
    static Path directory;

    private static int port;
    private static Process proxy;

    @AutoClose
    private Story story;

    @BeforeAll
    static void startProxy() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path objects = Files.createDirectories(directory.resolve("objects"));
        Path settings =
                Files.writeString(directory.resolve("s3proxy.properties"), """
            s3proxy.endpoint=http://127.0.0.1:%d
            s3proxy.authorization=aws-v4
            s3proxy.identity=%s
            s3proxy.credential=%s
            jclouds.provider=filesystem
            jclouds.identity=unused
            jclouds.credential=unused
            jclouds.filesystem.basedir=%s
            """.formatted(port, ID, SECRET, objects));
        Path log = directory.resolve("s3proxy.log");
        proxy = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-jar",
                        Path.of("target", "s3proxy", "s3proxy.jar").toString(),
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(Duration.ofMinutes(10)).until(() -> {
            assertThat(proxy.isAlive()).as(() -> read(log)).isTrue();
            return isListening();
        });
    }

    private static boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @AfterAll
    static void stopProxy() throws Exception {
        proxy.destroyForcibly().waitFor();
    }

    @BeforeEach
    void start() throws Exception {
        story = new Story(Story.LOOPBACK);
        story.sources.put(RemoteResource.Backend.S3, new S3Source(story.http, Clock.systemUTC()));
    }

    private Status attempt(String secret, String path) throws Exception {
        story.resource("""
            backendService: s3
            auth: {hmac: {accessKeyId: '{}', secretAccessKey: '{}'}}
            requests: [{options: {url: '{}'}}]
            """, ID, secret, "http://127.0.0.1:" + port + path);
        return story.attempt();
    }

    private static Path put(String bucket, String key, String text) throws IOException {
        Path file = directory.resolve("objects").resolve(bucket).resolve(key);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void shouldFetchAnObjectOnlyWithTheRightSecret() throws Exception {
        put("one", "a b/c+d/e.yaml", thing("x", ""));
        String object = "/one/a%20b/c%2Bd/e.yaml";
        Status right = attempt(SECRET, object);
        assertThat(right.message()).isEmpty();
        assertThat(story.names()).containsExactly("x");
        for (String path : new String[] {object, "/one/a%20b/"}) {
            Status wrong = attempt("planted-other-secret", path);
            assertThat(wrong.code()).isEqualTo("SourceAnswer");
            assertThat(wrong.message()).contains("answers 403");
            assertThat(wrong.toString()).doesNotContain("planted");
        }
        assertThat(story.names()).containsExactly("x");
    }

    @Test
    void shouldFetchAllPagesOfAFolderAndNoticeRemovals() throws Exception {
        int keys = 1_100;
        for (int i = 0; i < keys; i++) {
            put("many", "site/%04d with blank.yaml".formatted(i), thing("t" + i, ""));
        }
        put("many", "other/x.yaml", thing("other", ""));
        Status status = attempt(SECRET, "/many/site/");
        assertThat(status.message()).isEmpty();
        assertThat(status.requests().get(0).files()).isEqualTo(keys);
        assertThat(story.names()).hasSize(keys).doesNotContain("other");
        int changes = story.changes.size();
        assertThat(attempt(SECRET, "/many/site/").message()).isEmpty();
        assertThat(story.changes).hasSize(changes);
        Files.delete(directory.resolve("objects/many/site/0007 with blank.yaml"));
        assertThat(attempt(SECRET, "/many/site/").counts().removed()).isEqualTo(1);
        assertThat(story.names()).hasSize(keys - 1).doesNotContain("t7");
    }

    @Test
    void shouldReportAMissingObject() throws Exception {
        put("few", "a.yaml", thing("x", ""));
        assertThat(attempt(SECRET, "/few/b.yaml").message()).contains("answers 404");
        assertThat(attempt(SECRET, "/few/none/").message()).contains("there is no object with this prefix");
        assertThat(attempt(SECRET, "/none/").state()).isEqualTo(Status.State.FAILED);
    }
}
