package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.secret.Purpose;
import dev.strake.server.Server;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Permission;
import dev.strake.server.access.Token;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.testing.Planted;
import dev.strake.testing.SecretSite;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Plants secrets in every possible place of a whole Strake, and requests everything as a client without permission
 * for secrets. No response, event, command output or log line contains one, in any form. Nor does the data directory
 * or a topic, except for the topic that publishers write, and secrets that came over HTTP are not even there. {@code
 * -Dstrake.seed} generates other documents.
 */
@Order(1) // slow: starts first
class SecretsIT {

    private static final long SEED = Long.getLong("strake.seed", 1);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String WORKSPACE = "site";
    private static final String CHANGES = "strake.document-changes";
    private static final Keyset KEYSET = Keyset.create();

    @TempDir
    static Path directory;

    private static final Token READER = Token.create();
    private static final Token PUBLISHER = Token.create();
    private static final Token SECRETS = Token.create();
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private static final Logger STRAKE = (Logger) LoggerFactory.getLogger("dev.strake");
    private static final Logger AUDIT = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    private static final Queue<String> LOGGED = new ConcurrentLinkedQueue<>();
    private static final AppenderBase<ILoggingEvent> LOG = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            LOGGED.add(event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    };

    private static EmbeddedBroker broker;
    private static Server server;
    private static KafkaProducer<byte[], byte[]> producer;

    private final HttpClient http = HttpClient.newHttpClient();

    /** Secrets of documents, which must not appear anywhere. */
    private final Planted planted = new Planted(SEED);

    /** Words of headers. Outcomes and revisions return them to the publisher, but no log contains them. */
    private final Planted envelope = new Planted(SEED + 1_000_000);

    private final SecretSite site = new SecretSite(SEED, planted);

    /** Secrets published over HTTP, where the service seals them. The topic of changes does not contain them either. */
    private final Planted overHttp = new Planted(SEED + 2_000_000);

    private final SecretSite written = new SecretSite(SEED + 2_000_000, overHttp);
    private final List<ByteArrayOutputStream> events = new ArrayList<>();
    private final TreeSet<String> found = new TreeSet<>();
    private int asked;

    @BeforeAll
    static void start() throws Exception {
        LOG.setContext(ROOT.getLoggerContext());
        LOG.start();
        ROOT.addAppender(LOG);
        STRAKE.addAppender(LOG);
        STRAKE.setLevel(Level.TRACE);
        STRAKE.setAdditive(false);
        AUDIT.addAppender(LOG);
        AUDIT.setLevel(Level.INFO);
        AUDIT.setAdditive(false);
        Path tokens = directory.resolve("tokens");
        Files.writeString(
                tokens,
                READER.line("reader", List.of(Grant.parse("reader@*"))) + "\n"
                        + PUBLISHER.line("publisher", List.of(Grant.parse("publisher@*"), Grant.parse("admin@*")))
                        + "\n"
                        + SECRETS.line("auditor", List.of(Grant.parse("secrets-reader@*"))) + "\n");
        new KeysetFile(KEYSET, Optional.empty()).create(keysetFile());
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        server = Server.start(new PipelineSettings(
                KafkaSettings.of(broker.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.DATA, directory.resolve("data"))
                        .with(Catalogue.SECRETS_KEYSET, keysetFile())
                        .with(Catalogue.HTTP_PORT, 0)
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.ACCESS_TOKENS, tokens)));
        server.pipeline().awaitReady(TIMEOUT);
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static Path keysetFile() {
        return directory.resolve("keyset");
    }

    @AfterAll
    static void stop() {
        producer.close();
        server.close();
        broker.close();
        STRAKE.setAdditive(true);
        STRAKE.setLevel(null);
        STRAKE.detachAppender(LOG);
        AUDIT.setAdditive(true);
        AUDIT.setLevel(null);
        AUDIT.detachAppender(LOG);
        ROOT.detachAppender(LOG);
    }

    @Test
    void shouldShowNoSecretAnywhere() throws Exception {
        List<InputStream> streams = List.of(listen("/events"), listen("/workspaces/" + WORKSPACE + "/events"));
        String first = site.documents();
        String clear = first.replace("storagePolicy: encrypted", "storagePolicy: cleartext");
        publish("base", first, Map.of());
        send(WORKSPACE.getBytes(UTF_8), site.documents(), Map.of("ce_id", "incomplete", "part", "1/2"));
        new KeysetFile(KEYSET.rotated(Purpose.STORAGE), Optional.empty()).replace(keysetFile());
        publish("base", site.documents(), Map.of());
        for (Map.Entry<String, String> each : site.troubled().entrySet()) {
            publish("trouble", each.getValue(), Map.of());
        }
        publish("trouble", "[]", Map.of());
        site.unreadable().values().forEach(text -> publish("trouble", text, Map.of()));
        envelopes().forEach((name, value) -> publish("base", first, Map.of(name, value)));
        send(null, first, Map.of("bucket", envelope.word("bucket of a dead letter")));
        send(new byte[] {(byte) 0xff}, "{" + planted.word("a dead letter"), Map.of());
        long head = awaitHead();

        writeOverHttp();
        askForEverything(head);
        String files = Files.writeString(directory.resolve("site.yaml"), first).toString();
        String cleared =
                Files.writeString(directory.resolve("clear.yaml"), clear).toString();
        runEverything(head, files, cleared);

        for (InputStream stream : streams) {
            stream.close();
        }
        String heard = events.get(0).toString(UTF_8) + events.get(1).toString(UTF_8);
        assertThat(heard).contains("event: rendered", "event: outcome", "\"secret\":true");
        search("an event", heard);
        String log = String.join("\n", LOGGED);
        search("the log", log);
        envelope.foundIn(log).forEach(each -> found.add("the log has " + each));
        for (String route : List.of("/metrics", "/info", "/topology", "/topology?format=json", "/health/ready")) {
            String answer = get(route, PUBLISHER).body();
            envelope.foundIn(answer).forEach(each -> found.add(route + " has " + each));
        }
        assertThat(asked).isGreaterThan(200);
        String shown = get("/workspaces/site/rendered?revision=1&cleartext-secrets=true", SECRETS)
                .body();
        assertThat(planted.foundIn(shown))
                .as("the search does find what is shown")
                .hasSizeGreaterThan(20);
        assertThat(LOGGED).anyMatch(line -> line.startsWith("secrets shown principal=\"auditor\""));
        openDeadLetters(first);
        server.close();
        searchTopics();
        searchFiles();
        assertThat(found).isEmpty();
    }

    /* Collects the events of a stream. */
    private InputStream listen(String path) throws Exception {
        HttpResponse<InputStream> answer =
                http.send(request(path, READER).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        InputStream stream = answer.body();
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        events.add(kept);
        Thread reader = new Thread(() -> {
            try {
                stream.transferTo(kept);
            } catch (IOException e) {
                // closed at the end of the test
            }
        });
        reader.setDaemon(true);
        reader.start();
        return stream;
    }

    private void writeOverHttp() throws Exception {
        String buckets = "/workspaces/written/buckets/";
        assertThat(write("PUT", buckets + "base", written.documents())).isEqualTo(200);
        for (String text : written.troubled().values()) {
            write("PUT", buckets + "trouble", text);
            write("POST", buckets + "trouble/documents?dry-run=true", text);
        }
        write("PUT", buckets + "trouble", "[]");
        List<String> unreadable = written.unreadable().values().stream()
                .filter(text -> text.contains("storagePolicy: encrypted")) // others look like cleartext
                .toList();
        assertThat(unreadable).hasSizeGreaterThan(25);
        int refused = 0;
        for (String text : unreadable) {
            refused += write("PUT", buckets + "trouble", text) == 200 ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(15);
        assertThat(write("PUT", buckets + "base", written.documents())).isEqualTo(200);
        assertThat(write("PUT", "/workspaces/written/revisions/1/tags/first", "{}"))
                .isEqualTo(200);
        assertThat(write("POST", "/workspaces/written/rollback", "{revision: 1}"))
                .isEqualTo(200);
        for (String list : List.of("documents", "rendered", "problems", "diff/0/head?changes=true")) {
            ask("/workspaces/written/" + list);
        }
    }

    private int write(String method, String path, String body) throws Exception {
        HttpResponse<String> answer = http.send(
                request(path, PUBLISHER)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        search(method + " " + path, answer);
        return answer.statusCode();
    }

    private void openDeadLetters(String first) {
        CapturedTerminal list = strake(kafka("dead-letters", "-o", "json"));
        ListValue letters = (ListValue) JsonReader.read(list.out());
        assertThat(letters.size()).isEqualTo(2);
        String place = ((Text) ((MapValue) letters.get(0)).get("record")).value();
        CapturedTerminal opened = CapturedTerminal.pipe();
        List<String> open = new ArrayList<>(List.of(kafka("dead-letters", place, "--cleartext-secrets")));
        assertThat(Strake.run(opened.terminal(), open.toArray(String[]::new))).isNotEqualTo(ExitCode.FINE);
        search("a dead letter without its key", opened.out() + opened.err());
        open.addAll(List.of("--secrets-keyset", keysetFile().toString()));
        opened.run(ExitCode.FINE, open.toArray(String[]::new)); // opened::err
        assertThat(opened.out()).isEqualTo(first);
    }

    /*
     * Searches all topics: the topic of changes contains clear text from Kafka, so it is searched for secrets from
     * HTTP only. Changelogs contain everything that was ever stored.
     */
    private void searchTopics() {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.listTopics().keySet().stream()
                    .filter(topic -> topic.startsWith("strake"))
                    .map(topic -> new TopicPartition(topic, 0))
                    .toList();
            assertThat(partitions).hasSize(10);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            int records = 0;
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    records++;
                    String key = record.key() == null ? "" : new String(record.key(), ISO_8859_1);
                    searchStored(record.topic() + " " + key, key);
                    for (Header header : record.headers()) {
                        searchStored(
                                record.topic() + " header " + header.key(), new String(header.value(), ISO_8859_1));
                    }
                    if (record.value() != null) {
                        searchStored(record.topic() + " " + key, new String(record.value(), ISO_8859_1));
                    }
                }
            }
            assertThat(records).isGreaterThan(100);
        }
    }

    /* Searches the files of RocksDB, which Kafka Streams writes without compression. */
    private void searchFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).anyMatch(file -> file.toString().endsWith(".sst"));
            for (Path file : all) {
                searchStored(file.toString(), new String(Files.readAllBytes(file), ISO_8859_1));
            }
        }
    }

    /* Headers with a secret in them, some invalid. Outcomes return it to its author; logs never contain it. */
    private Map<String, String> envelopes() {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : List.of(
                "ce_id",
                "ce_source",
                "ce_time",
                "ce_type",
                "ce_specversion",
                "bucket",
                "expected-revision",
                "max-removals",
                "content-type",
                "content-encoding",
                "part",
                "dry-run",
                "author",
                "message",
                "origins",
                "traceparent",
                "tag")) {
            headers.put(name, envelope.word("header " + name));
        }
        return headers;
    }

    private void publish(String bucket, String documents, Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("bucket", bucket));
        all.putAll(headers);
        send(WORKSPACE.getBytes(UTF_8), documents, all);
    }

    private static void send(byte[] key, String value, Map<String, String> headers) {
        ProducerRecord<byte[], byte[]> change =
                new ProducerRecord<>("strake.document-changes", 0, key, value.getBytes(UTF_8));
        headers.forEach((name, text) -> change.headers().add(name, text.getBytes(UTF_8)));
        try {
            producer.send(change).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /* Publishes a last change, and returns its revision. */
    private long awaitHead() throws Exception {
        publish("last", """
                schema: a/Last/v1
                metadata: {schema: metadata/Document/v1, name: last, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: {}
                """, Map.of());
        await().atMost(TIMEOUT)
                .until(() -> get("/workspaces/site/documents?name=last", READER)
                        .body()
                        .contains("a/Last/v1"));
        MapValue documents = (MapValue) JsonReader.read(
                get("/workspaces/site/documents?name=last", READER).body());
        return Long.parseLong(((Num) documents.get("revision")).literal());
    }

    private void askForEverything(long head) throws Exception {
        List<String[]> rendered = names("rendered?revision=2");
        assertThat(rendered).hasSizeGreaterThan(10);
        for (Permission route : Permission.ALL) {
            if (!route.pattern().endsWith("/events")) { // streams do not end; events carry no secret data or hashes
                ask(route.pattern()
                        .replace("{workspace}", WORKSPACE)
                        .replace("{from}", "0")
                        .replace("{to}", "head")
                        .replaceAll("\\{[a-z]+}", "x"));
            }
        }
        for (long revision = 1; revision <= head; revision++) {
            boolean isOfDocuments = revision <= 2 || revision == head; // the other revisions add one invalid document
            for (String list : isOfDocuments ? List.of("documents", "rendered", "buckets") : List.of("problems")) {
                ask("/workspaces/site/" + list + "?revision=" + revision);
            }
            ask("/workspaces/site/diff/" + (revision - 1) + "/" + revision + "?changes=true");
        }
        ask("/workspaces/site/diff/2/1?changes=true");
        for (String query : List.of("$..*", "$.data", "$..text", "$..[?(@.own == 1)]", "$.data.list[0]", "nonsense")) {
            ask("/workspaces/site/documents?revision=2&query=" + encoded(query));
            ask("/workspaces/site/rendered?revision=2&query=" + encoded(query));
        }
        for (String[] name : rendered) {
            String document = "?schema=" + encoded(name[0]) + "&name=" + encoded(name[1]) + "&revision=2";
            for (String question : List.of("explain", "affected", "why")) {
                ask("/workspaces/site/" + question + document);
            }
            ask("/workspaces/site/explain" + document + "&path=.text");
            ask("/workspaces/site/rendered" + document + "&cleartext-secrets=true");
        }
        for (String against : List.of("", "&against=1", "&against=2")) {
            post("/workspaces/site/plan?type=dev.strake.bucket.put&bucket=base" + against, site.documents());
        }
        for (String text : site.troubled().values()) {
            post("/workspaces/site/plan?type=dev.strake.documents.put&bucket=more", text);
        }
        for (String text : site.unreadable().values()) {
            post("/workspaces/site/plan?type=dev.strake.documents.put&bucket=more", text);
        }
        post("/workspaces/site/plan?type=dev.strake.revision.rollback", "1");
    }

    private List<String[]> names(String list) throws Exception {
        MapValue answer = (MapValue)
                JsonReader.read(get("/workspaces/site/" + list, READER).body());
        List<String[]> names = new ArrayList<>();
        for (Value item : ((ListValue) answer.get("items")).items()) {
            MapValue document = (MapValue) item;
            names.add(new String[] {
                ((Text) document.get("schema")).value(),
                ((Text) ((MapValue) document.get("metadata")).get("name")).value()
            });
        }
        return names;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private void ask(String path) throws Exception {
        for (Token token : List.of(READER, PUBLISHER)) {
            search(path, get(path, token));
        }
    }

    private HttpResponse<String> get(String path, Token token) throws Exception {
        return http.send(request(path, token).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void post(String path, String body) throws Exception {
        for (Token token : List.of(READER, PUBLISHER)) {
            search(
                    path,
                    http.send(
                            request(path, token)
                                    .POST(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString()));
        }
    }

    private static HttpRequest.Builder request(String path, Token token) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
                .header("Authorization", "Bearer " + token.secret());
    }

    private void search(String what, HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(what).isNotEqualTo(500);
        asked++;
        search(what, answer.body() + "\n" + answer.headers().map());
    }

    private void search(String what, String text) {
        for (Planted each : List.of(planted, overHttp)) {
            each.foundIn(text).forEach(word -> found.add(what + " has " + word));
        }
    }

    /* Ignores the paths of collections: they are part of the graph, which is stored in clear text (docs/secrets.md). */
    private void searchStored(String what, String text) {
        List<Planted> all = what.startsWith(CHANGES) ? List.of(overHttp) : List.of(planted, overHttp);
        all.stream()
                .flatMap(each -> each.foundIn(text).stream())
                .filter(each -> !each.startsWith("path of a collection"))
                .forEach(each -> found.add(what + " has " + each));
    }

    private void runEverything(long head, String files, String cleared) {
        for (String format : List.of("table", "yaml", "json")) {
            for (String what : List.of("documents", "rendered", "problems", "buckets")) {
                strake("get", what, "-w", WORKSPACE, "--revision", "2", "-o", format);
                strake("get", what, "-w", WORKSPACE, "-o", format);
            }
            for (String what : List.of("revisions", "tags", "workspaces")) {
                strake("get", what, "-w", WORKSPACE, "-o", format);
            }
            strake(kafka("get", "outcomes", "-w", WORKSPACE, "--last", "1000", "-o", format));
            strake("get", "rendered", "-w", WORKSPACE, "--published", "--query", "$..*", "-o", format);
            strake("get", "documents", "-w", WORKSPACE, "--revision", "2", "-l", "is=base", "-o", format);
            strake("explain", "-w", WORKSPACE, "a/Reader/v1/reader", "--revision", "2", "-o", format);
            strake("explain", "-w", WORKSPACE, "a/Reader/v1/second", "--revision", "2", "--why", "-o", format);
            strake("affected", "-w", WORKSPACE, "a/Base/v1/base", "--revision", "2", "-o", format);
        }
        for (String format : List.of("table", "diff", "json", "yaml", "markdown")) {
            strake("diff", "-w", WORKSPACE, "1", "2", "-o", format);
            strake("diff", "-w", WORKSPACE, "0", Long.toString(head), "-o", format);
            strake("diff", "-w", WORKSPACE, "2", "--files", files, "-o", format);
            strake("diff", "-w", WORKSPACE, "1", "--files", cleared, "-o", format);
            strake(kafka("plan", "-w", WORKSPACE, files, "-o", format));
            strake(kafka("plan", "-w", WORKSPACE, "--against", "1", cleared, "-o", format));
        }
        strake("get", "rendered", "-w", WORKSPACE, "--cleartext-secrets");
        strake(kafka("plan", "-w", WORKSPACE, "--rollback", "1", "-o", "sarif"));
        strake(kafka("publish", "-w", WORKSPACE, "--dry-run", "-b", "base", files));
        assertThat(strake(kafka("verify", "-w", WORKSPACE)).err())
                .startsWith("strake: Records with redacted, encrypted or referenced secrets ")
                .contains("Give --secrets-keyset");
        strake(kafka("verify", "-w", WORKSPACE, "--secrets-keyset", keysetFile().toString()));
        strake(kafka(
                "verify",
                "-w",
                WORKSPACE,
                "-o",
                "json",
                "--secrets-keyset",
                keysetFile().toString()));
        for (String format : List.of("yaml", "json", "table")) {
            strake(kafka("watch", "-w", WORKSPACE, "--from-beginning", "--timeout", "3", "-o", format));
        }
        strake(kafka("watch", "-w", WORKSPACE, "--from-beginning", "--timeout", "3", "--query", "$..*", "-o", "table"));
        assertThat(strake("get", "documents", "-w", WORKSPACE, "--revision", "2", "-o", "yaml")
                        .out())
                .containsPattern("\\*{6} [0-9a-f]{16}");
    }

    private static String[] kafka(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--bootstrap-servers", broker.bootstrapServers()));
        return all.toArray(String[]::new);
    }

    private CapturedTerminal strake(String... arguments) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        List<String> all = new ArrayList<>(List.of(arguments));
        boolean isAsking = !List.of("watch", "dead-letters").contains(arguments[0])
                && !List.of(arguments).contains("outcomes");
        if (isAsking) {
            all.addAll(List.of("--url", "http://127.0.0.1:" + server.httpPort(), "--token", PUBLISHER.secret()));
        }
        int code = Strake.run(terminal.terminal(), all.toArray(String[]::new));
        asked++;
        assertThat(code)
                .as(() -> String.join(" ", arguments) + ": " + terminal.err())
                .isNotEqualTo(ExitCode.BUG);
        boolean isRefused = List.of(arguments).contains("--cleartext-secrets")
                || List.of(arguments).contains("--secrets-keyset");
        assertThat(terminal.err().contains("secrets-reader@"))
                .as(String.join(" ", arguments))
                .isEqualTo(isRefused);
        search(String.join(" ", arguments), terminal.out() + "\n" + terminal.err());
        return terminal;
    }
}
