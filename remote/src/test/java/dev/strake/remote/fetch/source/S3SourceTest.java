package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.testing.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class S3SourceTest {

    private SourceServer s3;
    private Story story;

    @BeforeEach
    void start() throws Exception {
        s3 = new SourceServer();
        story = new Story(Story.LOOPBACK);
        story.sources.put(RemoteResource.Backend.S3, new S3Source(story.http, Clock.systemUTC()));
    }

    @AfterEach
    void stop() {
        story.close();
        s3.close();
    }

    @Test
    void shouldRequestATokenOnceAndSendTheKeyInTheBody() throws Exception {
        s3.on("/bucket/a.yaml", exchange -> {
            boolean isKnown =
                    "bearer of-iam".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            return SourceServer.send(exchange, isKnown ? 200 : 403, things("x").getBytes(StandardCharsets.UTF_8));
        });
        AtomicReference<String> form = new AtomicReference<>("");
        try (SourceServer iam = new SourceServer()) {
            iam.on("/token", exchange -> {
                form.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                String answer = "{\"access_token\":\"of-iam\",\"expiration\":4102444800}";
                return SourceServer.send(exchange, 200, answer.getBytes(StandardCharsets.UTF_8));
            });
            story.resource("""
                backendService: s3
                auth: {iam: {url: '{}', grantType: 'urn:ibm:params:oauth:grant-type:apikey', apiKey: planted key}}
                requests: [{options: {url: '{}'}}]
                """, iam.url("/token"), s3.url("/bucket/a.yaml"));
            assertThat(story.attempt().message()).isEmpty();
            story.attempt();
            assertThat(story.names()).containsExactly("x");
            assertThat(iam.asked).hasSize(1);
            assertThat(iam.asked.get(0).query()).isNull();
            assertThat(form.get())
                    .isEqualTo("grant_type=urn%3Aibm%3Aparams%3Aoauth%3Agrant-type%3Aapikey&apikey=planted+key");
        }
    }

    @Test
    void shouldNotQuoteTheKeyWhenTheTokenIsRefused() throws Exception {
        try (SourceServer iam = new SourceServer().status("/token", 400)) {
            story.resource("""
                backendService: s3
                auth: {iam: {url: '{}', grantType: g, apiKey: planted}}
                requests: [{options: {url: '{}'}}]
                """, iam.url("/token"), s3.url("/bucket/"));
            Status failed = story.attempt();
            assertThat(failed.message()).isEqualTo(iam.url("/token") + ": answers 400");
            assertThat(failed.toString()).doesNotContain("planted", "token-in-an-answer");
        }
    }

    @Test
    void shouldFindTheBucketInAnAddress() throws Exception {
        assertThat(S3Source.Folder.of(Address.of("https://s3.eu-de.example.org/b/p/q/")))
                .isEqualTo(new S3Source.Folder("https://s3.eu-de.example.org", "b", "p/q/"));
        assertThat(S3Source.Folder.of(Address.of("https://b.s3.example.org/p/")))
                .isEqualTo(new S3Source.Folder("https://s3.example.org", "b", "p/"));
        assertThat(S3Source.Folder.of(Address.of("http://localhost:9000/b/")))
                .isEqualTo(new S3Source.Folder("http://localhost:9000", "b", ""));
        assertThat(S3Source.region(Address.of("https://b.s3.eu-west-1.amazonaws.com/")))
                .isEqualTo("eu-west-1");
        assertThat(S3Source.region(Address.of("https://s3.example.org/"))).isEqualTo("us-east-1");
    }
}
