package dev.strake.checks.deploy;

import static dev.strake.cli.StrakeCommand.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.Packaged;
import dev.strake.cli.local.StrakeTopics;
import dev.strake.cli.local.TestStrake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.Server;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.testing.SourceServer;
import dev.strake.testing.kubernetes.TestCluster;
import dev.strake.topology.RenderTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the permissions in {@code strimzi/users.yaml} are sufficient and necessary, on a real broker. */
class AclsIT {

    private static final String SERVICE = "strake-service";
    private static final String PUBLISHER = "strake-publisher";
    private static final String CONSUMER = "strake-consumer";
    private static final Duration REFUSED = Duration.ofMinutes(1);
    private static final String FETCHER = "strake-fetcher";
    private static final String APPLIER = "strake-applier";
    private static final String OPERATOR = "strake-operator";

    @TempDir
    static Path directory;

    private static SecuredBroker broker;
    private static Admin admin;

    @BeforeAll
    static void startBrokerAndGrantWhatTheUsersHave() throws Exception {
        Map<String, Set<AclBinding>> users = Acls.ofStrimzi();
        assertThat(users.keySet()).containsExactlyInAnyOrder(SERVICE, PUBLISHER, CONSUMER, FETCHER, APPLIER, OPERATOR);
        broker = SecuredBroker.start(directory.resolve("kafka"), List.copyOf(users.keySet()));
        admin = Admin.create(broker.client(SecuredBroker.ADMIN));
        for (Set<AclBinding> rights : users.values()) {
            admin.createAcls(rights).all().get();
        }
        // Strimzi's topic operator does this in production: no other user may create them.
        List<NewTopic> topics = new ArrayList<>();
        StrakeTopics.configs()
                .forEach((name, configs) ->
                        topics.add(new NewTopic(name, Optional.of(3), Optional.of((short) 1)).configs(configs)));
        admin.createTopics(topics).all().get();
        await().atMost(Duration.ofMinutes(10))
                .until(() -> admin.listTopics().names().get().size() == topics.size());
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
        broker.close();
    }

    @Test
    void shouldRenderWithExactlyTheseRights() throws Exception {
        Path document = Files.writeString(directory.resolve("policy.yaml"), TestStrake.POLICY);
        String publisher = config(PUBLISHER);
        try (Server server = serve()) {
            assertThat(run(ExitCode.FINE, "publish", "-w", "a", "--wait", "--kafka-config", publisher, "" + document))
                    .contains("rendered");
            // Writes to each topic of the service. So far that were outcomes and rendered documents. Now a
            // problem, a dead letter, and a change in the wrong partition, which is forwarded.
            Path broken = Files.writeString(directory.resolve("broken.yaml"), TestStrake.POLICY + TestStrake.BROKEN);
            String[] bucket = {"publish", "-w", "c", "--wait", "--kafka-config", publisher, "" + broken};
            run(ExitCode.DIFFERENT_OR_INVALID, bucket);
            send(null, null, "of nobody");
            awaitRecord("strake.dead-letters");
            awaitRecord("strake.render-problems");
            int home = WorkspaceKey.partition("b", 3);
            send((home + 1) % 3, "b", "[]");
            assertThat(awaitRecord("strake.outcomes", "b").partition()).isEqualTo(home);
            assertThat(run(
                            ExitCode.FINE,
                            ("verify -w a --kafka-config " + config(OPERATOR) + " --url http://127.0.0.1:"
                                            + server.httpPort())
                                    .split(" ")))
                    .contains("equal");
        }
        assertThat(run(
                        ExitCode.FINE,
                        ("watch -w a --from-beginning --count 1 --timeout 30 --kafka-config " + config(CONSUMER))
                                .split(" ")))
                .contains("LayeringPolicy");
        // Started again, the guard of the state reads offsets and changelogs of an earlier run.
        try (Server again = serve()) {
            assertThat(again.pipeline().probes().ready().get().fine()).isTrue();
            assertThat(run(ExitCode.FINE, "publish", "-w", "a", "--wait", "--kafka-config", publisher, "" + document))
                    .contains("unchanged");
        }
        assertThat(admin.listTopics().names().get())
                .containsAll(RenderTopology.STORES.stream()
                        .map(store -> "strake-" + store + "-changelog")
                        .toList());
    }

    @Test
    void shouldFetchAndApplyWithExactlyTheseRights() throws Exception {
        try (Server server = serve();
                SourceServer source = new SourceServer();
                TestCluster api = TestCluster.start()) {
            source.text("/site", "{apiVersion: v1, kind: ConfigMap, metadata: {name: fetched}, data: {a: b}}");
            Path resource = Files.writeString(
                    directory.resolve("resource.yaml"), TestStrake.POLICY + """
                ---
                schema: razee/RemoteResource/v1alpha2
                metadata:
                  schema: metadata/Document/v1
                  name: site
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {requests: [{options: {url: '%s'}}]}
                """.formatted(source.url("/site")));
            run(ExitCode.FINE, "publish", "-w", "f", "--wait", "--kafka-config", config(PUBLISHER), "" + resource);
            Process fetcher = strake("fetch", "--allow-private", "127.0.0.1", "--kafka-config", config(FETCHER));
            try {
                assertThat(awaitRecord("strake.remote-resource-status", "f|razee/RemoteResource/v1alpha2|site")
                                .value())
                        .asString(UTF_8)
                        .contains("\"state\":\"ok\"");
            } finally {
                fetcher.destroyForcibly().waitFor();
            }
            assertThat(run(
                            ExitCode.FINE,
                            ("apply -w f --once --kubernetes --kubeconfig " + api.kubeconfig(directory)
                                            + " --results --name here --kafka-config " + config(APPLIER))
                                    .split(" ")))
                    .contains("1 created");
            assertThat(awaitRecord("strake.apply-results", "f|here|kubernetes/Object/v1|ConfigMap/fetched")
                            .value())
                    .asString(UTF_8)
                    .contains("\"status\":\"applied\"");
            assertThat(server.httpPort()).isPositive();
        }
    }

    private static Process strake(String... arguments) throws Exception {
        List<String> line = Packaged.line(List.of("-Xmx256m"), List.of(arguments));
        line.addAll(List.of("--state", directory.resolve("copies").toString()));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("fetcher.log").toFile())
                .start();
    }

    @Test
    void shouldLetOnlyTheServiceWriteItsTopics() {
        for (String user : List.of(PUBLISHER, CONSUMER, FETCHER, APPLIER, OPERATOR)) {
            for (String topic : List.of("rendered-documents", "outcomes", "render-problems", "dead-letters")) {
                assertThatThrownBy(() -> write(user, "strake." + topic))
                        .as(user + " into " + topic)
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(AuthorizationException.class);
            }
        }
        for (String user : List.of(CONSUMER, APPLIER, OPERATOR)) {
            assertThatThrownBy(() -> write(user, "strake.document-changes"))
                    .as(user)
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
        for (String user : List.of(SERVICE, PUBLISHER, CONSUMER, APPLIER, OPERATOR)) {
            assertThatThrownBy(() -> write(user, "strake.remote-resource-memory"))
                    .as(user)
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
    }

    @Test
    void shouldLetEachPrincipalReadOnlyItsTopics() {
        for (String topic : List.of("rendered-documents", "render-problems", "dead-letters", "document-changes")) {
            assertThatThrownBy(() -> read(PUBLISHER, "strake." + topic, REFUSED))
                    .as(topic)
                    .isInstanceOf(AuthorizationException.class);
        }
        for (String topic : List.of("document-changes", "dead-letters", "render-problems")) {
            assertThatThrownBy(() -> read(CONSUMER, "strake." + topic, REFUSED))
                    .as(topic)
                    .isInstanceOf(AuthorizationException.class);
        }
        for (String user : List.of(FETCHER, APPLIER)) {
            for (String topic : List.of("document-changes", "dead-letters", "render-problems", "apply-results")) {
                assertThatThrownBy(() -> read(user, "strake." + topic, REFUSED))
                        .as(user + " of " + topic)
                        .isInstanceOf(AuthorizationException.class);
            }
        }
        assertThatThrownBy(() -> read(APPLIER, "strake.remote-resource-memory", REFUSED))
                .isInstanceOf(AuthorizationException.class);
        for (String topic : StrakeTopics.configs().keySet()) {
            read(OPERATOR, topic, Duration.ofMillis(500));
        }
    }

    @Test
    void shouldLetTheServiceCreateOnlyItsOwnTopics() {
        try (Admin service = Admin.create(broker.client(SERVICE))) {
            assertThatThrownBy(() -> service.createTopics(List.of(new NewTopic("strake.others", 1, (short) 1)))
                            .all()
                            .get())
                    .hasCauseInstanceOf(AuthorizationException.class);
            assertThatThrownBy(() -> service.deleteTopics(List.of("strake.outcomes"))
                            .all()
                            .get())
                    .hasCauseInstanceOf(AuthorizationException.class);
        }
    }

    @Test
    void shouldGrantTheSameRightsWithTheScript() throws Exception {
        assertThat(Acls.ofCommands(Files.readString(DeployedFiles.DEPLOY.resolve("acls.sh"))))
                .isEqualTo(Acls.ofStrimzi());
    }

    /** The service reads its password as in the production example: from a mounted file, named by its settings. */
    private static Server serve() throws Exception {
        KafkaSettings kafka = kafka(SecuredBroker.login(SERVICE));
        Settings all = settings();
        Server server = Server.start(new PipelineSettings(kafka, all));
        server.pipeline().awaitReady(Duration.ofMinutes(10));
        return server;
    }

    private static KafkaSettings kafka(String login) throws Exception {
        Path mounted = Files.createDirectories(directory.resolve("mounted"));
        Files.writeString(mounted.resolve("sasl.jaas.config"), login);
        Files.copy(broker.authority(), mounted.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        String production =
                Files.readString(DeployedFiles.DEPLOY.resolve("kustomize/overlays/production/client.properties"));
        Path settings = Files.writeString(
                directory.resolve("service.properties"),
                production
                        .replace("/etc/strake/kafka", mounted.toString())
                        .replaceAll("(?m)^bootstrap.*$", "bootstrap.servers=" + broker.bootstrapServers()));
        return KafkaSettings.of(
                Optional.empty(),
                Optional.of(settings),
                Map.of("KAFKA_GROUP_INSTANCE_ID", "strake-0", "KAFKA_NUM_STANDBY_REPLICAS", "1"));
    }

    private static Settings settings() {
        return Settings.defaults()
                .with(Catalogue.DATA, directory.resolve("data"))
                .with(Catalogue.HTTP_PORT, 0)
                .with(Catalogue.THREADS, 1);
    }

    @Test
    void shouldReportAWrongPasswordWithoutQuotingIt() throws Exception {
        for (String[] command : List.of(
                new String[] {"serve", "--data", directory.resolve("other").toString(), "--http-port", "0"},
                new String[] {"publish", "-w", "a", "--wait", document().toString()},
                new String[] {"watch", "-w", "a", "--timeout", "30"})) {
            String[] all = Stream.concat(
                            Stream.of(command),
                            Stream.of("--kafka-config", config(SERVICE, broker.client(SERVICE, "swordfish"))))
                    .toArray(String[]::new);
            CapturedTerminal terminal = CapturedTerminal.pipe();
            assertThat(Strake.run(terminal.terminal(), all))
                    .as(command[0] + ": " + terminal.err())
                    .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
            assertThat(terminal.err())
                    .contains("rejects the login", "Check the credentials")
                    .doesNotContain("swordfish");
        }
    }

    /* The packaged program, whose output and exit code systemd and Kubernetes see. */
    @Test
    void shouldReportMissingPermissionsFirstAndExitWithTheirCode() throws Exception {
        Path log = directory.resolve("not-permitted.log");
        List<String> serve = List.of(
                "serve",
                "--data",
                directory.resolve("not-permitted").toString(),
                "--http-port",
                "0",
                "--kafka-config",
                config(PUBLISHER));
        Process service = new ProcessBuilder(Packaged.line(List.of("-Xmx256m"), serve))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(service.waitFor(REFUSED.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            service.destroyForcibly().waitFor();
        }
        assertThat(service.exitValue()).isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
        assertThat(Files.readString(log))
                .startsWith("strake: Kafka at " + broker.bootstrapServers() + " does not permit it: ")
                .contains("Grant the user the rights that deploy/README.md lists");
    }

    private static Path document() throws Exception {
        return Files.writeString(directory.resolve("policy.yaml"), TestStrake.POLICY);
    }

    private static String config(String user) throws Exception {
        return config(user, broker.client(user));
    }

    private static String config(String name, Map<String, Object> client) throws Exception {
        StringBuilder text = new StringBuilder();
        client.forEach((key, value) -> text.append(key + "=" + value + "\n"));
        return Files.writeString(Files.createTempFile(directory, name, ".properties"), text)
                .toString();
    }

    private static void send(Integer partition, String key, String value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(PUBLISHER)) {
            byte[] bytes = key == null ? null : key.getBytes(UTF_8);
            producer.send(new ProducerRecord<>("strake.document-changes", partition, bytes, value.getBytes(UTF_8)))
                    .get();
        }
    }

    private static ConsumerRecord<byte[], byte[]> awaitRecord(String topic, String... keys) {
        List<TopicPartition> all =
                List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1), new TopicPartition(topic, 2));
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(OPERATOR)) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            await().atMost(Duration.ofMinutes(10)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(message -> {
                    if (keys.length == 0 || keys[0].equals(new String(message.key(), UTF_8))) {
                        found.add(message);
                    }
                });
                return !found.isEmpty();
            });
        }
        return found.get(0);
    }

    private static void write(String user, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(user)) {
            producer.send(new ProducerRecord<>(topic, "a".getBytes(UTF_8), "[]".getBytes(UTF_8)))
                    .get();
        }
    }

    /* A denied user gets an error long before the limit. A permitted one waits if there is nothing to read. */
    private static void read(String user, String topic, Duration limit) {
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(user)) {
            List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
            consumer.assign(partition);
            consumer.seekToBeginning(partition);
            consumer.poll(limit);
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(String user) {
        Map<String, Object> settings = new HashMap<>(broker.client(user));
        // A user without any permission to write gets this error earlier, except with a plain producer.
        settings.put("enable.idempotence", false);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String user) {
        return new KafkaConsumer<>(broker.client(user), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
