package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.Ciphertext;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.SealedEntry;
import dev.strake.topology.query.RenderedWhole;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.Rewrap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Secrets in stores and changelogs: with keys, a thief finds nothing useful there, and Strake can still read them. */
class SecretsAtRestTest {

    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String SECRET = "s3cr3t-t0ken";
    private static final String OTHER_SECRET = "an0ther-t0ken";

    private static final String PASSWORD = """
            ---
            schema: example/Password/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: global}}
            data: {value: s3cr3t-t0ken}
            """;
    private static final String DATABASE = """
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: database
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: example/Password/v1, name: password, path: .value}, dest: {path: .password}}
            data: {host: db}
            """;
    private static final String CLEAR = """
            ---
            schema: example/Clear/v1
            metadata: {schema: metadata/Document/v1, name: clear, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {value: readable}
            """;
    private static final String ALL = """
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/Database/v1, into: {schema: example/All/v1, name: all}}
            """;
    private static final String DOCUMENTS = POLICY + PASSWORD + DATABASE + CLEAR + ALL;

    private static final DocumentId PASSWORD_ID = new DocumentId("example/Password/v1", "global", "password");
    private static final DocumentId DATABASE_ID = new DocumentId("example/Database/v1", "site", "database");

    private final TestKeys keys = TestKeys.created();

    @AutoClose
    private TopologyHarness strake = new TopologyHarness(keys.in(TopologySettings.of(1)));

    private int ids;

    private Outcome put(String documents) {
        return strake.put(documents, "ce_id", "change-" + ids++);
    }

    private void putWithoutKeys(String documents) {
        SecretKeys later = keys.current();
        keys.set(SecretKeys.NONE);
        put(documents);
        keys.set(later);
    }

    private void restart() {
        TopologyHarness restored = strake.restored();
        strake.close();
        strake = restored;
    }

    /** Waits until background work is done. */
    private void rewrap() {
        for (int i = 0; i < 20; i++) {
            strake.advance(Duration.ofSeconds(1));
        }
    }

    /* Searches the stores for every form in which a thief could recognize a secret. */
    private List<String> findings(String secret) {
        List<String> findings = new ArrayList<>();
        byte[] utf8 = secret.getBytes(StandardCharsets.UTF_8);
        Map<String, byte[]> needles = Map.of(
                "clear",
                utf8,
                "base64",
                Base64.getEncoder().withoutPadding().encode(utf8),
                "hex",
                HexFormat.of().formatHex(utf8).getBytes(StandardCharsets.US_ASCII),
                "hash of the value",
                half(Hasher.ofThread().bytes(("\"" + secret + "\"").getBytes(StandardCharsets.UTF_8))),
                "hash of the data",
                half(Hasher.ofThread().bytes(("{\"value\":\"" + secret + "\"}").getBytes(StandardCharsets.UTF_8))),
                "hash of data made of it",
                half(Hasher.ofThread()
                        .bytes(("{\"host\":\"db\",\"password\":\"" + secret + "\"}").getBytes(StandardCharsets.UTF_8))),
                "hash of the secret value",
                asWritten(new Text(secret).secret()),
                "hash of the secret data",
                asWritten(MapValue.of("value", new Text(secret)).secret()),
                "hash of data with it in its place",
                asWritten(MapValue.of("host", new Text("db")).with("password", new Text(secret).secret())),
                "hash of all of it",
                asWritten(MapValue.of("host", new Text("db"))
                        .with("password", new Text(secret))
                        .secret()));
        strake.dump()
                .forEach((store, entries) -> entries.forEach((key, value) -> needles.forEach((form, needle) -> {
                    if (contains(value, needle) || contains(key.getBytes(StandardCharsets.ISO_8859_1), needle)) {
                        findings.add(form + " in " + store + " " + key);
                    }
                })));
        return findings;
    }

    private static byte[] asWritten(Value value) {
        Fingerprint hash = Fingerprint.asWritten(value);
        return ByteBuffer.allocate(16).putLong(hash.high()).putLong(hash.low()).array();
    }

    private static byte[] half(byte[] hash) {
        return Arrays.copyOf(hash, 16);
    }

    private static boolean contains(byte[] bytes, byte[] needle) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.contains(new String(needle, StandardCharsets.ISO_8859_1));
    }

    private void loseTheKeyOfThePast() {
        put(DOCUMENTS);
        put(PASSWORD.replace(SECRET, OTHER_SECRET));
        keys.rotate();
        put(PASSWORD.replace(SECRET, "third-t0ken"));
        keys.forgetOld();
    }

    private SecretKeys loseTheKey() {
        keys.rotate();
        SecretKeys whole = keys.current();
        keys.forgetOld();
        restart();
        return whole;
    }

    private byte[] sealed() {
        byte[] key = DocumentsLayout.key(WS, PASSWORD_ID, 1);
        byte[] value = strake.store(DocumentsLayout.STORE).get(Bytes.wrap(key));
        return DocumentsLayout.sealed(key, value);
    }

    private List<ProblemCode> problems() {
        return Whole.problems(strake.queries(), WS, strake.queries().history().lastRevision(WS)).stream()
                .map(Problem::code)
                .toList();
    }

    @Test
    void shouldStoreNoSecretReadablyWithKeys() {
        Outcome outcome = put(DOCUMENTS);

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.warnings()).isEmpty();
        assertThat(findings(SECRET)).isEmpty();
        assertThat(strake.rendered("example/Database/v1|database"))
                .contains("****** ")
                .doesNotContain(SECRET);
        put(
                "---\nschema: a/B/v1\nmetadata: {schema: metadata/Document/v1, name: b, layeringDefinition: {layer: site}}\ndata: {}");
        restart();
        assertThat(put(DATABASE.replace("host: db", "host: other")).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(findings(SECRET)).isEmpty();
    }

    @Test
    void shouldStoreSecretsInClearTextAndWarnWithoutKeys() {
        keys.set(SecretKeys.NONE);

        Outcome outcome = put(DOCUMENTS);

        assertThat(outcome.warnings()).extracting(Problem::code).containsExactly(ProblemCode.NOT_ENCRYPTED);
        assertThat(findings(SECRET)).hasSizeGreaterThan(3);
    }

    /* A secret value is overwritten by a clear one. Its hash reveals nothing now, but that of its next revision may. */
    private static final String OVERWRITTEN = """
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: overwritten
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: example/Password/v1, name: password, path: .value}, dest: {path: .password}}
              - {src: {schema: example/Clear/v1, name: clear, path: .value}, dest: {path: .password}}
            data: {host: db}
            """;

    private String overwritten() {
        return strake.rendered("example/Database/v1|overwritten");
    }

    @Test
    void shouldPublishInClearOnceASecretIsOverwritten() {
        putWithoutKeys(DOCUMENTS + OVERWRITTEN);
        restart();

        Outcome redacted = put(DOCUMENTS + OVERWRITTEN); // replaces records in clear text
        assertThat(redacted.work().emitted()).isEqualTo(3);
        assertThat(overwritten()).contains("\"password\":\"readable\"");
        rewrap();
        restart();
        assertThat(put(DOCUMENTS + OVERWRITTEN).status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(put(CLEAR.replace("readable", "other")).work().emitted())
                .as("the clear one, what takes its value, and what gathers that")
                .isEqualTo(3);
        assertThat(overwritten()).contains("\"password\":\"other\"");
        assertThat(findings(SECRET)).isEmpty();
    }

    @Test
    void shouldHoldBackDocumentsWithOverwrittenSecretsWhileAKeyIsMissing() {
        put(DOCUMENTS + OVERWRITTEN);
        SecretKeys whole = loseTheKey();

        Outcome outcome = put(CLEAR.replace("readable", "changed"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(strake.problems()).containsKey("site-a|example/Database/v1|site|overwritten");
        assertThat(overwritten()).contains("\"password\":\"readable\"");

        keys.set(whole);
        Outcome again = put(CLEAR.replace("readable", "changed"));
        assertThat(again.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(again.work().emitted()).isEqualTo(3);
        assertThat(overwritten()).contains("\"password\":\"changed\"");
        restart();
        assertThat(put(CLEAR.replace("readable", "changed")).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldEncryptWaitingParts() {
        Outcome first = strake.put(DOCUMENTS, "ce_id", "parts", "part", "1/2");

        assertThat(first.status()).isEqualTo(OutcomeStatus.PENDING);
        assertThat(findings(SECRET)).isEmpty();
        keys.rotate();
        restart();
        Outcome second = strake.put(CLEAR.replace("name: clear", "name: c2"), "ce_id", "parts", "part", "2/2");
        assertThat(second.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(second.documents().total()).isEqualTo(6);
    }

    @Test
    void shouldRejectAChangeWhosePartsCannotBeDecrypted() {
        strake.put(DOCUMENTS, "ce_id", "parts", "part", "1/2");
        keys.set(Keyset.create());

        Outcome second = strake.put(CLEAR, "ce_id", "parts", "part", "2/2");

        assertThat(second.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(second.problems()).extracting(Problem::code).containsExactly(ProblemCode.SECRET_KEY_NOT_FOUND);
    }

    @Test
    void shouldPublishNothingAgainWhenKeysAreRotated() {
        put(DOCUMENTS);
        keys.rotate();

        assertThat(put(DOCUMENTS).status()).isEqualTo(OutcomeStatus.UNCHANGED);
        Outcome outcome = put(DATABASE.replace("host: db", "host: other"));

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.work().emitted()).isEqualTo(2);
        restart();
        assertThat(put(DATABASE.replace("host: db", "host: other")).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldReEncryptInTheBackgroundSoThatAnOldKeyCanBeRemoved() {
        put(DOCUMENTS);
        rewrap();
        assertThat(Ciphertext.keyOf(sealed())).isEqualTo(keys.current().current(Purpose.STORAGE));
        keys.rotate();
        assertThat(Ciphertext.keyOf(sealed())).isNotEqualTo(keys.current().current(Purpose.STORAGE));
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Rewrap.class);
        logger.addAppender(log);
        logger.setLevel(Level.INFO);

        rewrap();

        logger.detachAppender(log);
        logger.setLevel(null);
        assertThat(log.list)
                .as("what an operator waits for, who removes the old key")
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains(
                        "Partition 0: ",
                        SecretKeyNotFoundException.text(keys.current().current(Purpose.STORAGE)));
        assertThat(Ciphertext.keyOf(sealed())).isEqualTo(keys.current().current(Purpose.STORAGE));
        keys.forgetOld();
        restart();
        assertThat(put(DATABASE.replace("host: db", "host: other")).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(problems()).isEmpty();
    }

    @Test
    void shouldEncryptOldEntriesInTheBackgroundOnceThereAreKeys() {
        putWithoutKeys(DOCUMENTS);
        putWithoutKeys(PASSWORD.replace(SECRET, OTHER_SECRET));

        rewrap();

        assertThat(findings(SECRET)).isEmpty();
        assertThat(findings(OTHER_SECRET)).isEmpty();
        restart();
        Outcome redacted = put(DOCUMENTS.replace(SECRET, OTHER_SECRET)); // replaces records in clear text
        assertThat(redacted.work().emitted()).isEqualTo(3);
        assertThat(put(DOCUMENTS.replace(SECRET, OTHER_SECRET)).status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(put(PASSWORD).work().emitted()).isEqualTo(3);
        assertThat(Whole.rendered(strake.queries(), WS, 1)).hasSize(5);
    }

    /* The digest of masked records reveals nothing. That of a few records in clear text is as good as a hash of one. */
    @Test
    void shouldSealTheDigestOfARevisionWhileConsumersHoldClearText() {
        putWithoutKeys(DOCUMENTS);
        String broken = DATABASE.replace("path: .value}", "path: .missing}");

        assertThat(put(broken).status()).isEqualTo(OutcomeStatus.FAILED); // so consumers keep what was published before
        assertThat(isRevisionSealed(2)).isTrue();
        assertThat(put(DATABASE).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(isRevisionSealed(3)).isFalse();
        assertThat(isRevisionSealed(1)).isFalse();

        rewrap();

        assertThat(isRevisionSealed(1)).isTrue();
        assertThat(isRevisionSealed(2)).isTrue();
        assertThat(isRevisionSealed(3)).isFalse();
        restart();
        assertThat(put(DATABASE).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    private boolean isRevisionSealed(long number) {
        byte[] key = RevisionsLayout.key(WS, number);
        return SealedEntry.isSealed(strake.store(RevisionsLayout.STORE).get(Bytes.wrap(key)));
    }

    @Test
    void shouldReportDocumentsWithoutTheirKeyAndPublishAllOthers() {
        put(DOCUMENTS);
        SecretKeys whole = loseTheKey();

        Outcome outcome = put(CLEAR.replace("readable", "changed"));

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(problems()).contains(ProblemCode.SECRET_KEY_NOT_FOUND);
        assertThat(strake.problems().get("site-a|example/Password/v1|global|password"))
                .contains("SecretKeyNotFound")
                .contains("is not in the keyset");
        assertThat(strake.problems()).containsKey("site-a|example/Database/v1|site|database");
        assertThat(strake.problems()).doesNotContainKey("site-a|example/Clear/v1|site|clear");

        keys.set(whole);
        Outcome again = put(CLEAR.replace("readable", "changed"));
        assertThat(again.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(again.work().emitted()).isEqualTo(1); // the clear one; consumers hold all others already
        assertThat(strake.problems()).isEmpty();
    }

    @Test
    void shouldAcceptADocumentAgainWithoutItsOldKey() {
        put(DOCUMENTS);
        keys.rotate();
        keys.forgetOld();

        assertThat(put(PASSWORD).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.problems()).isEmpty();
        assertThat(findings(SECRET)).isEmpty();
    }

    @Test
    void shouldContinueWithAnotherKeyset() {
        Outcome first = put(DOCUMENTS);
        SecretKeys before = keys.current();
        keys.set(Keyset.create());
        restart();

        Outcome outcome = put(CLEAR.replace("readable", "changed"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(problems()).contains(ProblemCode.SECRET_KEY_NOT_FOUND);
        assertThat(strake.problems()).doesNotContainKey("site-a|example/Clear/v1|site|clear");
        restart();
        assertThat(put(PASSWORD).status()).isEqualTo(OutcomeStatus.RENDERED);
        Outcome last = put(CLEAR);
        assertThat(last.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(last.published().contentHash()) // other keys make other masks
                .isNotEqualTo(first.published().contentHash());
        put(DOCUMENTS);
        assertThat(put(DOCUMENTS).status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(findings(SECRET)).isEmpty();
        keys.set(before);
        restart();
        assertThat(put(CLEAR.replace("readable", "again")).status()).isEqualTo(OutcomeStatus.FAILED);
    }

    @Test
    void shouldGoOnWithoutTheKeysetAfterTheLastSecretIsGone() {
        put(POLICY + PASSWORD + DATABASE);
        put(PASSWORD.replace("encrypted", "cleartext"));
        assertThat(isRevisionSealed(2)).isTrue();
        keys.set(SecretKeys.NONE);
        restart();

        assertThat(put(CLEAR).status()).isEqualTo(OutcomeStatus.RENDERED);
        restart();
        assertThat(put(CLEAR).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldReadOtherDocumentsWithoutAnyKey() {
        put(DOCUMENTS);
        SecretKeys whole = keys.current();
        keys.set(SecretKeys.NONE);
        restart();

        assertThat(Whole.documents(strake.queries(), WS, 1)).hasSize(5);
        assertThat(JsonBytes.text(strake.queries().document(WS, PASSWORD_ID, 1).orElseThrow()))
                .contains("no key")
                .doesNotContain(SECRET);
        assertThat(strake.queries().problem(WS, DATABASE_ID, 1)).isPresent();
        keys.set(whole);
        restart();
        assertThat(Whole.problems(strake.queries(), WS, 1)).isEmpty();
        assertThat(put(DOCUMENTS).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldNotRollBackToUndecryptableDocuments() {
        loseTheKeyOfThePast();

        Outcome outcome = strake.rollback(1);

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems()).extracting(Problem::code).containsExactly(ProblemCode.SECRET_KEY_NOT_FOUND);
        assertThat(put(CLEAR.replace("readable", "changed")).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldContinueAfterACrashAtAnyPointOfReEncryption() {
        StringBuilder many = new StringBuilder(DOCUMENTS);
        for (int i = 0; i < 400; i++) {
            many.append(PASSWORD.replace("name: password", "name: password-" + i));
        }
        putWithoutKeys(many.toString());
        strake.advance(Duration.ofSeconds(5)); // background work begins
        for (int crash = 0; crash < 40; crash++) {
            if (crash == 20) {
                rewrap();
                keys.rotate();
                strake.advance(Duration.ofSeconds(5));
            }
            strake.advance(Duration.ofMillis(10));
            if (crash % 4 == 0) {
                try (TopologyHarness restored = strake.restored()) {
                    assertThat(Whole.rendered(restored.queries(), WS, 1)).hasSize(405);
                    Outcome outcome = restored.put(PASSWORD.replace(SECRET, OTHER_SECRET));
                    assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
                    assertThat(outcome.work().emitted()).isEqualTo(403); // records in clear text are replaced
                }
            }
        }
        rewrap();
        assertThat(findings(SECRET)).isEmpty();
        keys.forgetOld();
        restart();
        assertThat(put(many.toString()).work().emitted()).isEqualTo(403);
        assertThat(put(many.toString()).status()).isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @Test
    void shouldNotRevealADeletedSecretThatConsumersStillHold() {
        put(POLICY + PASSWORD + CLEAR);
        strake.delete(WS, "default", List.of(PASSWORD_ID));
        put(POLICY + PASSWORD + CLEAR);
        String broken = CLEAR.replace("name: clear", "name: broken").replace("layer: site}", "layer: nowhere}");
        assertThat(put(broken).status()).isEqualTo(OutcomeStatus.FAILED);
        strake.delete(WS, "default", List.of(PASSWORD_ID));
        put(CLEAR.replace("readable", "changed"));

        assertThat(strake.rendered()).containsKey("site-a|example/Password/v1|password");
        assertThat(findings(SECRET)).isEmpty();
        restart();
        assertThat(put(broken.replace("layer: nowhere", "layer: site")).status())
                .isEqualTo(OutcomeStatus.FAILED);
    }

    @Test
    void shouldNotOpenAnEntryCopiedToAnotherPlace() {
        put(DOCUMENTS);
        byte[] value = strake.store(DocumentsLayout.STORE).get(Bytes.wrap(DocumentsLayout.key(WS, PASSWORD_ID, 1)));

        for (byte[] elsewhere : List.of(
                DocumentsLayout.key("site-b", PASSWORD_ID, 1),
                DocumentsLayout.key(WS, PASSWORD_ID, 2),
                DocumentsLayout.key(WS, DATABASE_ID, 1))) {
            assertThatExceptionOfType(UnreadableStoreException.class)
                    .isThrownBy(() -> DocumentsLayout.read(keys.current(), elsewhere, value))
                    .withMessageContaining("cannot be decrypted");
        }
    }

    @Test
    void shouldDryRunOnUndecryptableDocuments() {
        put(DOCUMENTS);
        loseTheKey();

        Outcome plan = strake.put(PASSWORD, "dry-run", "true");
        assertThat(plan.status()).isEqualTo(OutcomeStatus.PLANNED);
        assertThat(plan.planned().wouldBe()).isEqualTo(OutcomeStatus.RENDERED);
        Outcome other = strake.put(CLEAR.replace("readable", "other"), "dry-run", "true");
        assertThat(other.planned().wouldBe()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(Whole.documents(strake.queries(), WS, 1)).hasSize(5);
    }

    @Test
    void shouldShowPlaceholdersForPastDocumentsWithoutTheirKey() {
        loseTheKeyOfThePast();
        restart();

        List<MapValue> past = Whole.rendered(strake.queries(), WS, 1);
        assertThat(past).hasSize(5);
        for (MapValue document : past) {
            String schema = document.text("schema");
            String data = JsonBytes.text(document.get("data"));
            if (schema.contains("Clear") || schema.contains("Policy")) {
                assertThat(data).doesNotContain("no key");
            } else {
                assertThat(data).matches("\"\\*{6} no key [0-9a-f]{8}\"");
            }
        }
        assertThat(Whole.rendered(strake.queries(), WS, 3))
                .noneMatch(each -> JsonBytes.text(each.get("data")).contains("no key"));
    }

    @Test
    void shouldNotReadSecretsOfAWholeRevisionWithoutTheirKey() {
        loseTheKeyOfThePast();
        restart();

        Set<DocumentId> locked = new TreeSet<>();
        Set<DocumentId> readable = new TreeSet<>();
        for (RenderedWhole.Item item : whole(1)) {
            try {
                assertThat(JsonBytes.text(item.content().get())).doesNotContain("no key");
                readable.add(item.id());
            } catch (LockedException e) {
                locked.add(e.problem().document());
                assertThat(e.problem().code()).isEqualTo(ProblemCode.SECRET_KEY_NOT_FOUND);
            }
        }
        assertThat(locked).contains(PASSWORD_ID);
        assertThat(readable).hasSize(2).doesNotContain(DATABASE_ID);
        assertThat(whole(3))
                .allSatisfy(
                        item -> assertThat(JsonBytes.text(item.content().get())).doesNotContain("no key"));
    }

    private List<RenderedWhole.Item> whole(long revision) {
        WorkspaceQueries queries = strake.queries();
        try (Stream<RenderedWhole.Item> all =
                queries.whole(WS, revision, queries.at(WS, revision).derived()).documents(id -> true)) {
            return all.toList();
        }
    }

    @Test
    void shouldNotEncryptEntriesOfClearDocuments() {
        try (TopologyHarness plain = new TopologyHarness()) {
            put(POLICY + CLEAR);
            plain.put(POLICY + CLEAR, "ce_id", "change-0");

            TopologyHarness.assertSameState(strake.dump(), plain.dump());
        }
    }
}
