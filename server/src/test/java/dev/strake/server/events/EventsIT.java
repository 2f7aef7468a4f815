package dev.strake.server.events;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static dev.strake.server.Installation.document;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.server.Installation;
import dev.strake.server.access.AccessControl;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.events.EventStream.Filter;
import dev.strake.server.events.Listener.Heard;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.http.Request;
import dev.strake.server.http.TestRequests;
import dev.strake.server.metrics.Latencies;
import dev.strake.server.settings.Catalogue;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(1) // slow: starts first
class EventsIT {

    private static final int PARTITIONS = 2;
    private static final Token ALL = Token.create();
    private static final Token SITES = Token.create();
    private static final Token SHORT_LIVED = Token.create();

    @TempDir
    static Path directory;

    @AutoClose
    private static Installation strake;

    @BeforeAll
    static void start() throws Exception {
        writeTokens(true);
        strake = new Installation("events", directory, PARTITIONS)
                .with(Catalogue.ACCESS_TOKENS, directory.resolve("tokens"));
        strake.startServer();
    }

    private static void writeTokens(boolean all) throws Exception {
        String lines = ALL.line("all", List.of(Grant.parse("reader@*"))) + "\n"
                + SITES.line("sites", List.of(Grant.parse("reader@site-*"))) + "\n"
                + (all ? SHORT_LIVED.line("short", List.of(Grant.parse("reader@*"))) + "\n" : "");
        Files.writeString(directory.resolve("tokens"), lines);
    }

    private static Listener listen(Token token, String path, String... headers) throws Exception {
        String url = strake.url(path);
        return headers.length == 0
                ? Listener.to(url, "Authorization", "Bearer " + token.secret())
                : Listener.to(url, "Authorization", "Bearer " + token.secret(), headers[0], headers[1]);
    }

    private static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"?([^,\"}]*)").matcher(json);
        assertThat(found.find()).as(name + " in " + json).isTrue();
        return found.group(1);
    }

    private static List<String> types(List<Heard> events) {
        return events.stream().map(Heard::type).toList();
    }

    @Test
    void shouldSendRenderedDocumentsBeforeTheOutcome() throws Exception {
        try (Listener listener = listen(ALL, "/workspaces/site-a/events")) {
            assertThat(listener.next().type()).isEqualTo("started");
            strake.publish("elsewhere", POLICY);
            strake.publish("site-a", POLICY + document("web", 1));
            List<Heard> first = listener.until("outcome");
            assertThat(types(first)).containsExactly("rendered", "rendered", "outcome");
            Heard web = first.get(1);
            String record = web.data()
                    .substring(
                            web.data().indexOf(",\"document\":") + 12,
                            web.data().length() - 1);
            assertThat(record).contains("\"data\":{\"value\":1}");
            assertThat(member(web.data(), "contentHash"))
                    .isEqualTo(RenderedHeaders.contentHash(record.getBytes(UTF_8)));
            assertThat(member(web.data(), "name")).isEqualTo("web");
            assertThat(member(web.data(), "secret")).isEqualTo("false");
            assertThat(member(first.get(2).data(), "status")).isEqualTo("rendered");
            assertThat(Long.parseLong(member(first.get(2).data(), "latencyMillis")))
                    .isNotNegative();
            strake.publish("site-a", POLICY);
            List<Heard> second = listener.until("outcome");
            assertThat(types(second)).containsExactly("removed", "outcome");
            assertThat(second.get(0).data()).doesNotContain("document\":{", "contentHash");
            assertThat(second.get(0).id())
                    .as("inside of a change")
                    .isEqualTo(first.get(2).id());
            assertThat(second.get(1).id()).isNotEqualTo(first.get(2).id());
        }
    }

    @Test
    void shouldResumeAfterTheLastIdWithWholeChanges() throws Exception {
        String place;
        try (Listener listener = listen(ALL, "/workspaces/site-b/events")) {
            listener.next();
            strake.publish("site-b", POLICY + document("web", 1));
            place = listener.until("outcome").get(2).id();
        }
        for (int i = 2; i < 40; i++) {
            strake.publish("site-b", POLICY + document("web", i));
            strake.publish("other", POLICY + document("web", i));
        }
        try (Listener back = listen(ALL, "/workspaces/site-b/events", "Last-Event-ID", place);
                Listener again = listen(ALL, "/workspaces/site-b/events?data=false&after=" + place)) {
            assertThat(back.next().type()).isEqualTo("started");
            assertThat(again.next().type()).isEqualTo("started");
            for (int i = 2; i < 40; i++) {
                assertThat(back.next().data()).contains("\"data\":{\"value\":" + i + "}");
                assertThat(member(back.next().data(), "revision")).isEqualTo("" + i);
                assertThat(again.next().data()).contains("\"name\":\"web\"").doesNotContain("document\":{");
                assertThat(member(again.next().data(), "revision")).isEqualTo("" + i);
            }
            strake.publish("site-b", POLICY + document("web", 100));
            assertThat(types(back.until("outcome"))).containsExactly("rendered", "outcome");
        }
    }

    @Test
    void shouldSendOutcomesOfReadableWorkspacesOnly() throws Exception {
        String place;
        try (Listener all = listen(ALL, "/events");
                Listener sites = listen(SITES, "/events")) {
            all.next();
            sites.next();
            strake.publish("other-c", POLICY);
            strake.publish("site-c", POLICY);
            Heard heard = sites.next();
            while (!heard.data().contains("site-c")) {
                assertThat(heard.data()).contains("\"workspace\":\"site-");
                heard = sites.next();
            }
            place = sites.lastId();
            await().atMost(TIMEOUT).until(() -> all.next().data().contains("other-c"));
        }
        strake.publish("other-c", POLICY + document("x", 1));
        strake.publish("site-c", POLICY + document("x", 1));
        try (Listener back = listen(SITES, "/events", "Last-Event-ID", place)) {
            assertThat(back.next().type()).isEqualTo("started");
            Heard heard = back.next();
            assertThat(heard.type()).isEqualTo("outcome");
            assertThat(heard.data()).contains("\"workspace\":\"site-").doesNotContain("other-c");
        }
    }

    @Test
    void shouldSendOnlyTheRequestedKind() throws Exception {
        try (Listener rendered = listen(ALL, "/workspaces/site-k/events?kind=rendered");
                Listener outcomes = listen(ALL, "/workspaces/site-k/events?kind=outcome")) {
            rendered.next();
            outcomes.next();
            strake.publish("site-k", POLICY + document("web", 1));
            strake.publish("site-k", POLICY);
            assertThat(types(rendered.until("removed"))).containsExactly("rendered", "rendered", "removed");
            assertThat(List.of(outcomes.next().type(), outcomes.next().type())).containsOnly("outcome");
        }
    }

    @Test
    void shouldReportAChangedSecretWithoutItsValue() throws Exception {
        try (Listener listener = listen(ALL, "/workspaces/site-s/events")) {
            listener.next();
            strake.publish("site-s", POLICY + document("key", "hidden-4711").replace("cleartext", "encrypted"));
            List<Heard> events = listener.until("outcome");
            assertThat(member(events.get(1).data(), "secret")).isEqualTo("true");
            assertThat(events.toString()).contains("\"name\":\"key\"").doesNotContain("hidden-4711");
        }
    }

    @Test
    void shouldResetAClientWhosePositionIsGone() throws Exception {
        String place;
        try (Listener listener = listen(ALL, "/workspaces/site-g/events")) {
            place = listener.next().id();
            strake.publish("site-g", POLICY);
            listener.until("outcome");
        }
        TopicPartition outcomes =
                new TopicPartition(strake.topic("outcomes"), WorkspaceKey.partition("site-g", PARTITIONS));
        try (Admin admin = Installation.admin()) {
            admin.deleteRecords(Map.of(outcomes, RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
        // This instance has not read the deleted outcome before.
        try (Service other = service(1 << 20, 10);
                Listener back = Listener.to(url(other, "/workspaces/site-g/events"), "Last-Event-ID", place)) {
            Heard reset = back.until("reset").get(1);
            assertThat(member(reset.data(), "reason")).isEqualTo("gone");
            strake.publish("site-g", POLICY + document("web", 1));
            assertThat(types(back.until("outcome"))).containsExactly("rendered", "outcome");
        }
    }

    @Test
    void shouldRefuseInvalidParameters() throws Exception {
        for (String path : List.of(
                "/events?after=AQ",
                "/workspaces/a/events?after=x",
                "/workspaces/a/events?kind=all",
                "/workspaces/a/events?data=1",
                "/workspaces/a%20b/events")) {
            assertThat(strake.send(ALL, "GET", path, "").statusCode()).as(path).isEqualTo(400);
        }
    }

    @Test
    void shouldEndTheStreamOfARevokedToken() throws Exception {
        try (Listener listener = listen(SHORT_LIVED, "/events")) {
            listener.next();
            writeTokens(false);
            List<Heard> heard = listener.until("dropped");
            Heard last = heard.get(heard.size() - 1);
            assertThat(listener.next().type()).isEqualTo("closed");
            assertThat(member(last.data(), "reason")).isEqualTo("access");
        } finally {
            writeTokens(true);
        }
    }

    @Test
    void shouldDropAClientThatReadsTooSlowly() throws Exception {
        try (Service endpoint = service(50_000, 10);
                Listener quick = Listener.to(url(endpoint, "/workspaces/site-z/events"))) {
            quick.next();
            Request request = TestRequests.of("/", Map.of(), Map.of());
            int partition = WorkspaceKey.partition("site-z", PARTITIONS);
            EventStream slow = new EventStream(
                    endpoint.feed(), request, new Filter("site-z", partition, true, true, true), Optional.empty());
            ByteArrayOutputStream first = new ByteArrayOutputStream();
            assertThat(slow.writeSome(first)).isTrue();
            assertThat(first.toString(UTF_8)).contains("event: started");
            for (int i = 0; i < 8; i++) {
                strake.publish("site-z", POLICY + document("web", i + "x".repeat(9_000)));
                quick.until("outcome");
            }
            ByteArrayOutputStream last = new ByteArrayOutputStream();
            assertThat(slow.writeSome(last)).as("whether more comes").isFalse();
            assertThat(last.toString(UTF_8)).startsWith("event: dropped\n").contains("\"reason\":\"slow\"");
        }
    }

    @Test
    void shouldRefuseMoreClientsThanTheLimit() throws Exception {
        try (Service endpoint = service(1 << 20, 2)) {
            Listener first = Listener.to(url(endpoint, "/events"));
            Listener second = Listener.to(url(endpoint, "/events"));
            HttpRequest third =
                    HttpRequest.newBuilder(URI.create(url(endpoint, "/events"))).build();
            HttpResponse<String> answer = HttpClient.newHttpClient().send(third, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            first.close();
            await().atMost(TIMEOUT).untilAsserted(() -> {
                strake.publish("site-n", POLICY); // on an outcome, the server notices that a client has disconnected
                Listener.to(url(endpoint, "/events")).close();
            });
            second.close();
        }
    }

    /** The event stream of another instance. Closes the streams first, as a server does. */
    private record Service(Feed feed, HttpEndpoint http) implements AutoCloseable {

        @Override
        public void close() {
            feed.close();
            http.close();
        }
    }

    private static Service service(long mostBehind, int places) throws Exception {
        Feed feed = new Feed(Installation.kafka().cluster(), strake.topic(""), PARTITIONS, new Latencies(), mostBehind);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpEndpoint http = HttpEndpoint.start(
                address,
                Hosts.of(address, List.of()),
                AccessControl.off(),
                List.of(new Bulkhead(places, 0, EventRoutes.routes(feed))));
        return new Service(feed, http);
    }

    private static String url(Service service, String path) {
        return "http://127.0.0.1:" + service.http().port() + path;
    }
}
