package dev.strake.server.settings;

import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.TopologySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings, in the order in which they are listed. {@link TopologySettings} defines the defaults of processing;
 * this class defines names and ranges.
 */
public final class Catalogue {

    private static final List<Setting<?>> COLLECTED = new ArrayList<>();
    private static final TopologySettings WORK = TopologySettings.of(1);
    private static final Limits LIMITS = WORK.intake().limits();

    /** A record of a topic has at most 16 MiB, including its headers and framing. */
    private static final long MOST_RECORD_BYTES = 15L << 20;

    private static final String NAME = "[A-Za-z0-9._-]{1,200}";
    private static final String WORKSPACE = "[A-Za-z0-9._-]{1,128}";
    private static final String OF_NAMES = "1 to 200 of the characters A-Z a-z 0-9 . _ -";
    private static final String HOST = "[A-Za-z0-9.:_-]+";
    private static final String URL = "https?://[!-~]{1,500}";
    private static final String PRINTABLE = "1 to 512 printable characters without blanks";
    private static final String AUDIENCE = "[!-~]{1,512}";
    private static final String HOST_AND_PORT = "[A-Za-z0-9._-]+:[0-9]{1,5}";

    public static final Setting<String> APPLICATION_ID = option(
            "application-id",
            SettingType.text("ID", NAME, OF_NAMES),
            "strake",
            "Names the consumer group, the transactions and the changelogs. All instances that share the work need the same one.");

    public static final Setting<Path> DATA = option(
            "data",
            SettingType.path("DIR", "a directory"),
            "data",
            "The directory of the stores. Only one process at a time can use it.");

    public static final Setting<String> TOPIC_PREFIX = option(
            "topic-prefix",
            SettingType.text("PREFIX", NAME, OF_NAMES),
            WORK.topics().prefix(),
            "The beginning of the names of all topics.");

    public static final Setting<Integer> PARTITIONS = option(
            "partitions",
            SettingType.count("partitions", 1, 10_000),
            "12",
            "Partitions of the topics, when Strake creates them. There are never more tasks than partitions.",
            "Topics that exist keep the number they have.");

    public static final Setting<Optional<Integer>> REPLICATION_FACTOR = option(
            "replication-factor",
            SettingType.count("replicas", 1, 100).orNothing(),
            "",
            "Replicas of the topics and of the changelogs, when Strake creates them. Without it, the default of the cluster.",
            "Strake does not start if a topic has fewer.");

    public static final Setting<Optional<Integer>> THREADS = option(
            "threads",
            SettingType.count("threads", 1, 1_000).orNothing(),
            "",
            "Threads that process changes. Without it, as many as there are cores.");

    public static final Setting<Boolean> ACCEPT_EMPTY_STATE = option(
            "accept-empty-state",
            SettingType.yesOrNo(),
            "false",
            "Start with an empty state after all changelogs of earlier work were deleted. You have to publish every bucket again.");

    public static final Setting<String> HTTP_HOST = option(
            "http.host",
            SettingType.text("HOST", HOST, "a host name or an address"),
            "127.0.0.1",
            "The address on which HTTP listens.",
            "Strake does not start if other machines can reach this address and access is not controlled.");

    public static final Setting<Integer> HTTP_PORT =
            option("http.port", SettingType.count("", 0, 65_535), "8080", "Where HTTP listens, 0 for any free port.");

    public static final Setting<Optional<Integer>> HTTP_HEALTH_PORT = option(
            "http.health-port",
            SettingType.count("", 0, 65_535).orNothing(),
            "",
            "A second port, for health and metrics only, 0 for any free port.");

    public static final Setting<Optional<String>> HTTP_ADVERTISED = option(
            "http.advertised",
            SettingType.text("ADDRESS", HOST_AND_PORT, "a host and a port, as strake-0.strake:8080")
                    .orNothing(),
            "",
            "The address at which other instances reach the HTTP of this one. With it, any instance answers for any "
                    + "workspace.",
            "Without it, requests for workspaces of other instances are refused.");

    public static final Setting<Optional<Path>> HTTP_TLS_CERTIFICATE = option(
            "http.tls.certificate",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The certificate of HTTP, followed by intermediate certificates, as PEM. Without it, HTTP is not encrypted.",
            "Strake does not start if the certificate has expired or does not belong to the key.");

    public static final Setting<Optional<Path>> HTTP_TLS_KEY = option(
            "http.tls.key",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The private key of the certificate, as PEM without a password. Without it, the key is in the file of the certificate.");

    public static final Setting<Optional<Path>> HTTP_TLS_CA = option(
            "http.tls.ca",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "Certificates, as PEM, of the authorities that sign the certificates of instances. With it, instances "
                    + "authenticate one another (mutual TLS). Without it, they trust the authorities that Java "
                    + "trusts.",
            "All instances need it, and certificates for servers and clients with the name of strake.http.advertised.");

    public static final Setting<Optional<String>> DECKHAND_WORKSPACE = option(
            "deckhand.workspace",
            SettingType.text("NAME", WORKSPACE, WorkspaceKey.RULE).orNothing(),
            "",
            "The workspace whose API for clients of Deckhand is at /api/v1.0, too. Each workspace has one at /deckhand/NAME/api/v1.0.");

    public static final Setting<Optional<Path>> ACCESS_TOKENS = option(
            "access.tokens",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The file of hashed tokens of clients of HTTP. 'strake token' creates its lines. Without it, access is not controlled.");

    public static final Setting<Optional<String>> JWT_ISSUER = option(
            "access.jwt.issuer",
            SettingType.text("URL", URL, "an address with https").orNothing(),
            "",
            "The issuer of tokens (JWT) that Strake accepts besides those of the file, exactly as the issuer names itself. Strake finds its keys by OpenID Connect Discovery. It needs the audience and the groups below it, too.",
            "If the issuer does not answer, the keys fetched last stay in use for a day.");

    public static final Setting<Optional<String>> JWT_AUDIENCE = option(
            "access.jwt.audience",
            SettingType.text("NAME", AUDIENCE, PRINTABLE).orNothing(),
            "",
            "The name by which the issuer knows this service. A token has to have it as an audience.");

    public static final Setting<Optional<Path>> JWT_GROUPS = option(
            "access.jwt.groups",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The file with the grants of groups: each line has a group and its grants.");

    public static final Setting<String> JWT_GROUPS_CLAIM = setting(
            "access.jwt.groups-claim",
            SettingType.text("CLAIM", AUDIENCE, PRINTABLE),
            "groups",
            "The claim of a token that has the groups of its principal. realm_access.roles is the claim roles inside realm_access.");

    public static final Setting<String> JWT_PRINCIPAL_CLAIM = setting(
            "access.jwt.principal-claim",
            SettingType.text("CLAIM", AUDIENCE, PRINTABLE),
            "sub",
            "The claim of a token that has the name of its principal. It has to be a claim that users cannot choose themselves.");

    public static final Setting<Optional<Path>> JWT_CA = setting(
            "access.jwt.ca",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "Certificates, as PEM, of the authorities that sign the certificate of the issuer. Without it, those that Java trusts.");

    public static final Setting<Optional<String>> KEYSTONE_URL = option(
            "access.keystone.url",
            SettingType.text("URL", URL, "an address with https or http").orNothing(),
            "",
            "The Keystone of OpenStack whose tokens Strake accepts besides the others. It needs the credentials and the roles below it, too.",
            "If it does not answer, tokens known before stay in use until they expire.");

    public static final Setting<Optional<Path>> KEYSTONE_CREDENTIALS = option(
            "access.keystone.credentials",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The file with Strake's own credentials: the JSON that Keystone wants for a token.");

    public static final Setting<Optional<Path>> KEYSTONE_ROLES = option(
            "access.keystone.roles",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The file with the grants of roles of Keystone: each line has ROLE or ROLE@DOMAIN/PROJECT, and its grants.");

    public static final Setting<Optional<Path>> KEYSTONE_CA = setting(
            "access.keystone.ca",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "Certificates, as PEM, of the authorities that sign the certificate of Keystone. Without it, those that Java trusts.");

    public static final Setting<Boolean> ACCESS_OPEN = option(
            "access.open",
            SettingType.yesOrNo(),
            "false",
            "Start without tokens even if other machines can reach HTTP. Anybody who can reach it may then do "
                    + "everything.");

    public static final Setting<Optional<Path>> SECRETS_KEYSET = option(
            "secrets.keyset",
            SettingType.path("FILE", "a file").orNothing(),
            "",
            "The keyset of this installation, which 'strake keys' creates. Without it, secrets are not encrypted, and each start generates a new key for masks.");

    public static final Setting<String> SECRETS_OUTPUT = setting(
            "secrets.output",
            SettingType.oneOf("redacted", "encrypted", "references", "cleartext"),
            "redacted",
            "How secrets in rendered documents are published: redacted; encrypted, for consumers who have the keyset; as addresses where HTTP answers the values; or redacted, and also in clear text in the topic cleartext-documents.",
            "All but redacted need strake.secrets.keyset. Without it, secrets are in clear text in rendered-documents.");

    public static final Setting<Boolean> REQUIRE_SEALED = setting(
            "secrets.require-sealed",
            SettingType.yesOrNo(),
            "false",
            "Reject changes in which documents with storagePolicy encrypted are in clear text instead of sealed with the public key (SecretNotSealed). Strake itself seals what comes over HTTP.",
            "It needs strake.secrets.keyset. The clear text of a rejected change remains in the topic of changes.");

    public static final Setting<String> ON_PROBLEM = option(
            "on-problem",
            SettingType.oneOf("hold-revision", "hold-document"),
            WORK.rendering().holdDocuments() ? "hold-document" : "hold-revision",
            "What is held back if a document does not render: the whole revision, or this document and those that depend on it.");

    public static final Setting<Long> HISTORY_REVISIONS = setting(
            "history.revisions",
            SettingType.number("N", "revisions", 0, Long.MAX_VALUE),
            Long.toString(WORK.retention().revisions()),
            "How many revisions of a workspace are kept. Tagged ones are kept, too, and not counted. 0 for all.",
            "Older ones are pruned.");

    public static final Setting<Duration> HISTORY_AGE = setting(
            "history.age",
            SettingType.time(Duration.ZERO, Duration.ofDays(36_500)),
            SettingType.text(WORK.retention().age()),
            "How long a revision is kept after a newer one replaced it. PT0S is for ever.",
            "Older ones are pruned.");

    public static final Setting<Long> CHANGE_BYTES = setting(
            "limits.change-bytes",
            SettingType.bytes(1, 1L << 30),
            Long.toString(LIMITS.change().bytes()),
            "Bytes of a change in all its parts.");

    public static final Setting<Long> DOCUMENT_BYTES = setting(
            "limits.document-bytes",
            SettingType.bytes(1, MOST_RECORD_BYTES),
            Long.toString(LIMITS.document().bytes()),
            "Bytes of one document, as JSON.");

    public static final Setting<Integer> DOCUMENTS = setting(
            "limits.documents",
            SettingType.count("documents", 1, 10_000_000),
            Integer.toString(LIMITS.change().documents()),
            "Documents of one change, and of one workspace.",
            "If the workspace is larger already, a change that makes it smaller is accepted.");

    public static final Setting<RemovalLimit> BUCKET_REMOVALS = setting(
            "limits.bucket-removals",
            new SettingType<>("N|N%", "documents", RemovalLimit.RULE, RemovalLimit::parse),
            WORK.intake().removals().toString(),
            "How many documents a bucket put may remove because it does not name them. Deleting documents by name has no limit.",
            "The change is rejected, TooManyRemovals.");

    public static final Setting<Integer> DEPTH = setting(
            "limits.depth",
            SettingType.count("containers", 1, 1_000),
            Integer.toString(LIMITS.document().depth()),
            "Depth of mappings and lists inside one another, in a document.");

    public static final Setting<Integer> ALIASES = setting(
            "limits.aliases",
            SettingType.count("aliases", 0, 1_000_000),
            Integer.toString(LIMITS.document().aliases()),
            "Uses of aliases in one YAML document.");

    public static final Setting<Integer> NODES = setting(
            "limits.nodes",
            SettingType.count("nodes", 1, 100_000_000),
            Integer.toString(LIMITS.document().nodes()),
            "Keys and values of one document, after aliases are expanded.");

    public static final Setting<Long> RENDERED_BYTES = setting(
            "limits.rendered-bytes",
            SettingType.bytes(1, MOST_RECORD_BYTES),
            Long.toString(WORK.rendering().limits().bytes()),
            "Bytes of the data of one rendered document, as JSON.");

    public static final Setting<Integer> LIST_PADDING = setting(
            "limits.list-padding",
            SettingType.count("items", 0, 1_000_000),
            Integer.toString(WORK.rendering().limits().padding()),
            "How far beyond the end of a list an index in a path may reach.");

    public static final Setting<Duration> FORGET_CHANGES_AFTER = setting(
            "forget-changes-after",
            SettingType.time(Duration.ofMinutes(1), Duration.ofDays(3_650)),
            SettingType.text(WORK.intake().forgetChangesAfter()),
            "How long the ids of changes are remembered.",
            "A change with the same id that comes later is applied again.");

    public static final Setting<Duration> SLOW_CHANGE = setting(
            "slow-change",
            SettingType.time(Duration.ZERO, Duration.ofDays(1)),
            "PT1S",
            "A change that takes longer, without queue and commit, is in the log, at /slow and in "
                    + "strake_slow_changes_total.");

    public static final Setting<Long> CACHE_BYTES = setting(
            "cache-bytes",
            SettingType.bytes(0, 1L << 40),
            Long.toString(WORK.cacheBytes()),
            "Size of the cache of parsed documents on the heap, measured as JSON; parsed, they take up to five times as much. Never more than a sixteenth of the heap.",
            "Documents that are not in it are read from the stores.");

    public static final Setting<Long> STORE_MEMORY_BYTES = setting(
            "store-memory-bytes",
            SettingType.bytes(4L << 20, 1L << 40),
            Long.toString(160L << 20),
            "Memory outside of the heap for all stores of the process (RocksDB): three fifths for write buffers, the rest for the cache of blocks.",
            "With less, RocksDB writes and compacts more often, and reads more from disk.");

    public static final List<Setting<?>> ALL = List.copyOf(COLLECTED);

    /** The different defaults of a process with its own broker ({@code strake up}). */
    public static final SettingsSource DEFAULTS_OF_UP =
            SettingsSource.of("default of 'strake up'", Map.of(PARTITIONS, "4", REPLICATION_FACTOR, "1"));

    private Catalogue() {}

    private static <T> Setting<T> option(
            String name, SettingType<T> kind, String defaultValue, String effect, String... note) {
        return collected(new Setting<>(Setting.PREFIX + name, kind, defaultValue, effect, String.join("", note), true));
    }

    private static <T> Setting<T> setting(
            String name, SettingType<T> kind, String defaultValue, String effect, String... note) {
        return collected(
                new Setting<>(Setting.PREFIX + name, kind, defaultValue, effect, String.join("", note), false));
    }

    private static <T> Setting<T> collected(Setting<T> setting) {
        COLLECTED.add(setting);
        return setting;
    }
}
