package dev.strake.topology.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.derivation.Read;
import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Evaluation.Result;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.workspace.Head;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.text.TextFormat;
import dev.strake.topology.layout.ChangesLayout.Applied;
import dev.strake.topology.layout.ChangesLayout.Arrived;
import dev.strake.topology.layout.ChangesLayout.Waiting;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.layout.RevisionsLayout.Horizon;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.layout.TouchedLayout.Before;
import dev.strake.topology.layout.TouchedLayout.Touched;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** Entries of the stores are read as they were written, and damaged entries are never mistaken for valid ones. */
class StoreLayoutsTest {

    private static final String WS = "ws";

    /** The samples without a format byte: a part of a change is stored as it is. */
    private static final Set<String> BYTES_AS_THEY_CAME = Set.of("changes part", "changes rest of a part");

    private static final DocumentId ID = new DocumentId("a/B/v1", "site", "né|m");
    private static final DocumentId OTHER = new DocumentId("a/C/v1", "", "other");
    private static final Problem PROBLEM = Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, ID, "is wrong", "mend it")
            .at(".data.a")
            .relatedTo(List.of(OTHER));

    private static final MapValue TREE = Json.map("{'schema':'a/B/v1','metadata':{'schema':'metadata/Document/v1',"
            + "'name':'né|m','storagePolicy':'cleartext','labels':{'k':'v'},"
            + "'layeringDefinition':{'layer':'site','abstract':true,'parentSelector':{'k':'w'},"
            + "'actions':[{'method':'merge','path':'.'}]},"
            + "'substitutions':[{'src':{'schema':'a/C/v1','name':'other','path':'.'},'dest':{'path':'.x'}}]},"
            + "'data':{'n':1.50,'big':123456789012345678901234567890,'t':'\u00e9','l':[null,true]}}");

    private static final MapValue ENCRYPTED =
            Json.map(Json.text(TREE).replace("cleartext", "encrypted").replace('"', '\''));

    private static final MapValue POLICY = Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':"
            + "{'schema':'metadata/Control/v1','name':'p'},'data':{'layerOrder':['global','site']}}");

    private static final MapValue OPERATIONS = Json.map("{'schema':'strake/Operations/v1','metadata':"
            + "{'schema':'metadata/Document/v1','name':'scale','storagePolicy':'cleartext',"
            + "'layeringDefinition':{'layer':'site'}},'data':"
            + "{'target':{'schema':'cf/Manifest/v1','labels':{'size':'small'}},'operations':[]}}");

    /** An entry of a store, its content, and the reader of its value. */
    @SuppressWarnings("ArrayRecordComponent") // samples are not compared
    private record Sample(byte[] key, byte[] value, Object content, BiFunction<byte[], byte[], Object> reader) {}

    private final Map<String, Sample> samples = new LinkedHashMap<>();

    StoreLayoutsTest() {
        document("documents entry", new DocumentsLayout.Entry("bucket", Document.ofValid(TREE), 300, 7));
        document(
                "documents entry with an origin",
                new DocumentsLayout.Entry("bucket", Document.ofValid(TREE, "db.yaml:12@c0ffee"), 301, 0));
        add(
                "documents removed",
                DocumentsLayout.key(WS, OTHER, 1),
                DocumentsLayout.Entry.REMOVED,
                DocumentsLayout::write,
                (key, value) -> DocumentsLayout.read(SecretKeys.NONE, key, value));

        Revision revision = new Revision(
                1_769_860_800_000L,
                new Revision.Change(
                        "change", "dev.strake.bucket.put", List.of("bucket"), null, new Note(null, "why", "alice")),
                new Revision.Result(
                        OutcomeStatus.RENDERED, new Outcome.Documents(1, 2, 3, 4), new Outcome.Work(5, 6, 7, 8)),
                new Revision.Published(12, 200, new Digest(1, 2, 3, -4), "encrypted 0000000a"),
                new TreeMap<>(Map.of("tag", Json.map("{'by':'me'}"), "zag", MapValue.EMPTY)),
                List.of(Touched.ofEdit(ID, false, new Before(300, 299))),
                new RenderLimits(300, 5, 6, 7, RenderLimits.DEFAULT.changeEffort()));
        revision("revision", 12, revision);
        Revision rollback = new Revision(
                0,
                new Revision.Change("c", "dev.strake.revision.rollback", List.of("a", "b"), 0L, Note.NONE),
                new Revision.Result(OutcomeStatus.FAILED, Outcome.Documents.NONE, Outcome.Work.NONE),
                new Revision.Published(0, 0, Digest.ZERO, ""),
                new TreeMap<>(),
                List.of(),
                RenderLimits.DEFAULT);
        revision("rollback", 1, rollback);
        ValidationResult posted = new ValidationResult(
                "site-validation",
                "failure",
                Json.map("{'name':'promenade','version':'1.1.2'}"),
                List.of(Json.map("{'message':'no master'}"), Json.map("{'message':'no worker'}")),
                1_769_860_800_000L);
        add(
                "revisions result",
                ValidationsLayout.key(WS, 300, 12),
                posted,
                ValidationsLayout::write,
                ValidationsLayout::read);
        List<Touched> touched = List.of(
                Touched.ofEdit(ID, false, new Before(3, 0)),
                Touched.ofRendering(OTHER, 4),
                Touched.ofEdit(OTHER, true, new Before(300, 4)).and(Touched.ofRendering(OTHER, 4)),
                Touched.ofDerived(new DocumentKey("d/E/v1", "all")));
        add("revisions touched", TouchedLayout.key(WS, 12, 1), touched, TouchedLayout::write, TouchedLayout::read);
        Touched moved = Touched.ofEdit(ID, false, new Before(0, 0)).and(Touched.ofMove(ID));
        add("revisions gap", TouchedLayout.gapKey(WS, 12, ID), moved, TouchedLayout::writeGap, TouchedLayout::readGap);
        Horizon horizon = new Horizon(300, 12, 7, true);
        add(
                "revisions horizon",
                RevisionsLayout.horizonKey(WS),
                horizon,
                RevisionsLayout::writeHorizon,
                RevisionsLayout::readHorizon);

        Output output = new Output(new Fingerprint(5, -6), new Digest(-1, 0, 1, 2));
        Facts facts = Facts.of(Document.ofValid(TREE), "bucket").since(7);
        Result result = new Result(new Fingerprint(1, 2), new Fingerprint(3, 4), new Fingerprint(5, 6));
        Map<String, Evaluation> evaluations = new TreeMap<>(Map.of(
                "in trouble", new Evaluation.Failed(new Fingerprint(1, 2), PROBLEM, 9),
                "that is blocked", new Evaluation.Blocked(PROBLEM, OTHER, 9),
                "that is unready", new Evaluation.Unready(PROBLEM, 9),
                "that breaks its schema", new Evaluation.Invalid(result, PROBLEM, 9),
                "for other documents", new Evaluation.Internal(result, 9)));
        evaluations.forEach((name, evaluation) -> {
            head("head " + name, ID, new Head(facts, evaluation));
        });
        Head secret =
                new Head(Facts.of(Document.ofValid(ENCRYPTED), "bucket").since(7), new Evaluation.Internal(result, 9));
        head("head of an encrypted document", ID, secret);
        Head policy =
                new Head(Facts.of(Document.ofValid(POLICY), "b").since(1), new Evaluation.Published(result, output, 1));
        DocumentId policyId = Document.ofValid(POLICY).id();
        head("head of a policy", policyId, policy);
        parent("parent", 300, OTHER);
        parent("no parent", 1, null);
        Document operations = Document.ofValid(OPERATIONS);
        Head operator = new Head(
                Facts.of(operations, "b").since(5),
                new Evaluation.Published(new Result(new Fingerprint(1, 2), null, new Fingerprint(5, 6)), output, 5));
        head("head of operations", operations.id(), operator);

        rendering("removed", Rendering.REMOVED);
        Fingerprint data = new Fingerprint(-2, 3);
        rendering("record", new Rendering(false, data, new Fingerprint(4, 5), null, true));
        rendering("data without a record", new Rendering(false, data, null, null, false));
        rendering("problem", new Rendering(false, null, null, PROBLEM, true));
        rendering("data and problem", new Rendering(false, data, null, PROBLEM, true));
        Output formedOutput = new Output(output.record(), output.digest(), true, "redacted 0000000a");
        held("held", Optional.of(output));
        held("held in a form", Optional.of(formedOutput));
        held("held nothing", Optional.empty());

        Applied applied = new Applied(OutcomeStatus.UNCHANGED, 3, 1_769_860_800_000L);
        add(
                "changes applied",
                ChangesLayout.appliedKey(WS, "id"),
                applied,
                ChangesLayout::writeApplied,
                ChangesLayout::readApplied);
        addWaiting("changes waiting", Terms.NONE, Note.NONE, new Arrived(2, 0, 0), new Arrived(1, 0, 0));
        addWaiting(
                "changes waiting to be tried",
                new Terms(true, null, RemovalLimit.NONE, false),
                Note.NONE,
                new Arrived(2, 0, 0));
        addWaiting(
                "changes waiting with terms and a note",
                new Terms(false, 12L, new RemovalLimit(10, 5), true),
                new Note("author", "message"),
                new Arrived(2, 0, 0),
                new Arrived(1, 0, 0));
        addWaiting(
                "changes waiting with origins", Terms.NONE, Note.NONE, new Arrived(2, 1_000, 0), new Arrived(1, 0, 0));
        samples.put(
                "changes part",
                new Sample(ChangesLayout.partKey(WS, "id", 2), new byte[] {1, 2}, List.of(), (k, v) -> List.of()));
        owners();
    }

    private void addWaiting(String name, Terms terms, Note note, Arrived... came) {
        Waiting waiting = new Waiting(
                new ChangeEnvelope(
                                WS,
                                new ChangeEnvelope.Id("id", null),
                                new ChangeEnvelope.Kind(ChangeType.DOCUMENTS_PUT, "dev.strake.documents.put"),
                                "bucket",
                                new ChangeEnvelope.Body(new ChangeEnvelope.Part(2, 3), TextFormat.JSON),
                                new ChangeEnvelope.Said(
                                        new Carried("source", null, "00-1-2-01"), Terms.NONE, Note.NONE),
                                new ChangeEnvelope.Arrival("t-0@5", 77))
                        .with(terms, note),
                5,
                1_000_000,
                List.of(came));
        add(name, ChangesLayout.waitingKey(WS, "id"), waiting, ChangesLayout::writeWaiting, ChangesLayout::readWaiting);
    }

    private void owners() {
        Evaluation.Internal internal =
                new Evaluation.Internal(new Evaluation.Result(new Fingerprint(1, 2), null, new Fingerprint(3, 4)), 7);
        Head withheld = new Head(
                Facts.of(Document.ofValid(TREE), "bucket").since(5),
                new Evaluation.Withheld(internal, PROBLEM, OTHER, 300));
        head("head that is withheld", ID, withheld);
        Derived derived = new Derived(
                new Fingerprint(1, 2),
                Map.of(
                        new Read.Data(new DocumentKey("a/B/v1", "x"), ".a"), new Fingerprint(5, 6),
                        new Read.Selection("a/B/v1", MapValue.of("k", new Text("v"))), new Fingerprint(7, 8)),
                Map.of(new DocumentKey("d/E/v1", "all"), new Output(new Fingerprint(9, 10), new Digest(1, 2, 3, 4))),
                true,
                PROBLEM,
                OTHER);
        Map<Bytes, byte[]> entries = new TreeMap<>(OwnersLayout.entries(WS, OTHER, derived));
        BiFunction<byte[], byte[], Object> reader = (ownKey, ownValue) -> {
            OwnersLayout.Collected reading = new OwnersLayout.Collected();
            reading.add(ownKey, ownValue);
            entries.forEach((each, other) -> {
                if (!Arrays.equals(each.get(), ownKey)) {
                    reading.add(each.get(), other);
                }
            });
            return reading.owners();
        };
        entries.forEach((key, value) -> samples.put(
                "layer-graph owner, entry " + samples.size(),
                new Sample(key.get(), value, Map.of(OTHER, derived), reader)));
        for (RenderedLayout.DerivedRecord record : List.of(
                new RenderedLayout.DerivedRecord(OTHER, new Fingerprint(1, 2)), RenderedLayout.DerivedRecord.NONE)) {
            add(
                    "rendered derived document" + (record.isThere() ? "" : " that is not there"),
                    RenderedLayout.derivedKey(WS, new DocumentKey("d/E/v1", "all"), 300),
                    record,
                    RenderedLayout::writeDerived,
                    (at, value) -> RenderedLayout.readDerived(SecretKeys.NONE, at, value));
        }
    }

    private void revision(String name, long number, Revision revision) {
        byte[] key = RevisionsLayout.key(WS, number);
        add(
                "revisions " + name,
                key,
                revision,
                RevisionsLayout::write,
                (at, value) -> RevisionsLayout.read(SecretKeys.NONE, at, value));
    }

    private void head(String name, DocumentId id, Head head) {
        byte[] key = LayerGraphLayout.headKey(WS, id);
        add("layer-graph " + name, key, head, LayerGraphLayout::writeHead, StoreLayoutsTest::readHead);
    }

    private void parent(String name, long revision, DocumentId parent) {
        add(
                "layer-graph " + name,
                LayerGraphLayout.parentKey(WS, ID, revision),
                parent,
                LayerGraphLayout::writeParent,
                LayerGraphLayout::readParent);
    }

    private void held(String name, Optional<Output> held) {
        byte[] key = RenderedLayout.heldKey(WS, ID.key());
        add(
                "rendered " + name,
                key,
                held,
                RenderedLayout::writeHeld,
                (at, value) -> RenderedLayout.readHeld(SecretKeys.NONE, at, value));
    }

    private void rendering(String name, Rendering rendering) {
        add(
                "rendered " + name,
                RenderedLayout.key(WS, ID, 300),
                rendering,
                RenderedLayout::write,
                (at, value) -> RenderedLayout.read(SecretKeys.NONE, at, value));
    }

    private void document(String name, DocumentsLayout.Entry entry) {
        byte[] key = DocumentsLayout.key(WS, ID, entry.since());
        samples.put(
                name,
                new Sample(
                        key,
                        DocumentsLayout.write(entry),
                        summary(entry),
                        (k, value) -> summary(DocumentsLayout.read(SecretKeys.NONE, k, value))));
    }

    private <T> void add(
            String name, byte[] key, T content, Function<T, byte[]> writer, BiFunction<byte[], byte[], T> reader) {
        samples.put(name, new Sample(key, writer.apply(content), content, reader::apply));
    }

    private static Object summary(DocumentsLayout.Entry entry) {
        return List.of(
                entry.bucket(),
                entry.document().id(),
                entry.document().origin(),
                entry.since(),
                entry.place(),
                Json.text(entry.document().tree()));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldReadWrittenEntries() {
        samples.forEach((name, sample) -> assertThat(sample.reader().apply(sample.key(), sample.value()))
                .as(name)
                .isEqualTo(sample.content()));
    }

    @Test
    void shouldFindDocumentsAndRevisionsInKeys() {
        assertThat(LayerGraphLayout.document(LayerGraphLayout.headKey(WS, ID))).isEqualTo(ID);
        assertThat(RevisionsLayout.revision(RevisionsLayout.key(WS, 12))).isEqualTo(12);
        assertThat(DocumentsLayout.revision(LayerGraphLayout.parentKey(WS, ID, 300)))
                .isEqualTo(300);
        assertThat(KeyReader.workspace(RevisionsLayout.horizonKey(WS))).isEqualTo(WS);
        assertThat(RenderedLayout.held(RenderedLayout.heldKey(WS, ID.key()))).isEqualTo(ID.key());
    }

    @Test
    void shouldOrderEntriesOfADocumentByRevisionAndKeepDocumentsApart() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2_000; i++) {
            DocumentId one = randomId(random);
            DocumentId other = randomId(random);
            long early = random.nextLong(1L << random.nextInt(1, 62));
            long late = early + 1 + random.nextLong(1L << random.nextInt(1, 62));
            assertThat(Arrays.compareUnsigned(DocumentsLayout.key(WS, one, early), DocumentsLayout.key(WS, one, late)))
                    .isNegative();
            if (!one.equals(other)) {
                // No entry of another document lies within the history of a document.
                byte[] key = DocumentsLayout.key(WS, other, early);
                boolean within = Arrays.compareUnsigned(DocumentsLayout.key(WS, one, 0), key) <= 0
                        && Arrays.compareUnsigned(key, DocumentsLayout.key(WS, one, Long.MAX_VALUE)) <= 0;
                assertThat(within).as(one + " " + other).isFalse();
            }
        }
    }

    @Test
    void shouldReadRandomContents() {
        SplittableRandom random = new SplittableRandom(11);
        SharedParts shared = new SharedParts();
        for (int i = 0; i < 1_000; i++) {
            List<Touched> touched = new ArrayList<>();
            for (int j = random.nextInt(5); j > 0; j--) {
                touched.add(new Touched(
                        randomId(random),
                        random.nextInt(32),
                        new Before(random.nextInt(1_000), random.nextInt(1_000))));
            }
            assertThat(TouchedLayout.read(new byte[0], TouchedLayout.write(touched)))
                    .isEqualTo(touched);
            Evaluation evaluation = randomEvaluation(random);
            MapValue tree = random.nextInt(3) == 0 ? POLICY : random.nextBoolean() ? TREE : ENCRYPTED;
            Facts facts = Facts.of(Document.ofValid(tree), randomText(random)).since(random.nextLong(1L << 40));
            Head head = new Head(facts, evaluation);
            byte[] key = LayerGraphLayout.headKey(WS, facts.id());
            assertThat(LayerGraphLayout.readHead(key, LayerGraphLayout.writeHead(head), shared))
                    .isEqualTo(head);
            Applied applied = new Applied(
                    random.nextBoolean() ? OutcomeStatus.PARTIAL : OutcomeStatus.UNCHANGED,
                    random.nextLong(Long.MAX_VALUE),
                    random.nextLong(Long.MAX_VALUE));
            assertThat(ChangesLayout.readApplied(key, ChangesLayout.writeApplied(applied)))
                    .isEqualTo(applied);
        }
    }

    @Test
    void shouldKeepEqualPartsOfHeadsOnce() {
        SharedParts shared = new SharedParts();
        Facts one = readFacts("one", shared);
        Facts other = readFacts("other", shared);
        assertThat(other.id().schema()).isSameAs(one.id().schema());
        assertThat(other.id().layer()).isSameAs(one.id().layer());
        assertThat(other.bucket()).isSameAs(one.bucket());
        assertThat(other.claims().selector()).isSameAs(one.claims().selector());
        assertThat(other.claims().sources().get(0))
                .isSameAs(one.claims().sources().get(0));
    }

    private static Facts readFacts(String name, SharedParts shared) {
        Document document = Document.ofValid(Json.map("""
                {'schema': 't/A/v1', 'metadata': {'schema': 'metadata/Document/v1', 'name': '%s', 'storagePolicy': 'cleartext',
                  'layeringDefinition': {'abstract': false, 'layer': 'site', 'parentSelector': {'a': 'b'}},
                  'substitutions': [{'src': {'schema': 't/B/v1', 'name': 'source', 'path': '.'}, 'dest': {'path': '.x'}}]},
                 'data': {}}""".formatted(name)));
        Head head = new Head(Facts.of(document, "bucket"), new Evaluation.Unready(null, 1));
        byte[] key = LayerGraphLayout.headKey(WS, document.id());
        return LayerGraphLayout.readHead(key, LayerGraphLayout.writeHead(head), shared)
                .facts();
    }

    private static Evaluation randomEvaluation(SplittableRandom random) {
        long changedAt = random.nextLong(Long.MAX_VALUE);
        Problem problem = randomProblem(random);
        Result result =
                new Result(randomHash(random), random.nextBoolean() ? null : randomHash(random), randomHash(random));
        return switch (random.nextInt(6)) {
            case 0 -> new Evaluation.Unready(problem, changedAt);
            case 1 -> new Evaluation.Blocked(problem, randomId(random), changedAt);
            case 2 -> new Evaluation.Failed(randomHash(random), problem, changedAt);
            case 3 -> new Evaluation.Invalid(result, problem, changedAt);
            case 4 -> new Evaluation.Internal(result, changedAt);
            default ->
                new Evaluation.Published(
                        result, new Output(randomHash(random), Digest.ZERO, random.nextBoolean()), changedAt);
        };
    }

    private static Fingerprint randomHash(SplittableRandom random) {
        return new Fingerprint(random.nextLong(), random.nextLong());
    }

    /* Has texts with any characters: a text cut between surrogates must not keep a workspace from being opened. */
    private static Problem randomProblem(SplittableRandom random) {
        return Problem.of(ProblemCode.OPERATION_FAILED, randomId(random), anyText(random), anyText(random))
                .at(anyText(random))
                .relatedTo(List.of(randomId(random)));
    }

    private static String anyText(SplittableRandom random) {
        StringBuilder text = new StringBuilder("x".repeat(random.nextInt(3) * 1_000));
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append((char) (random.nextBoolean() ? 0xD7FE + random.nextInt(0x810) : random.nextInt(0x10000)));
        }
        return text.toString();
    }

    private static DocumentId randomId(SplittableRandom random) {
        return new DocumentId(randomText(random), randomText(random), randomText(random));
    }

    private static String randomText(SplittableRandom random) {
        String alphabet = "ab|%/.\0\u00e9\u20ac";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return random.nextInt(10) == 0 ? text + "\uD83D\uDE00" : text.toString();
    }

    @Test
    void shouldReadRenderingsAndOutcomesWithAnyTexts() {
        SplittableRandom random = new SplittableRandom(12);
        for (int i = 0; i < 1_000; i++) {
            Problem problem = randomProblem(random);
            assertThat(ProblemJson.read(JsonReader.read(JsonBytes.of(ProblemJson.write(problem)))))
                    .isEqualTo(problem);
            MapValue tree = TREE.with("data", MapValue.of("k", new Text(anyText(random))));
            byte[] key = DocumentsLayout.key(WS, ID, 1);
            DocumentsLayout.Entry entry = new DocumentsLayout.Entry("bucket", Document.ofValid(tree), 1, 0);
            assertThat(DocumentsLayout.read(SecretKeys.NONE, key, DocumentsLayout.write(entry))
                            .document()
                            .tree())
                    .isEqualTo(tree);
            Rendering rendering = Rendering.of(new Evaluation.Blocked(problem, ID, 1), false);
            assertThat(RenderedLayout.read(SecretKeys.NONE, key, RenderedLayout.write(rendering)))
                    .isEqualTo(rendering);
        }
    }

    @Test
    void shouldReportDamagedEntries() {
        SplittableRandom random = new SplittableRandom(13);
        samples.keySet().removeAll(BYTES_AS_THEY_CAME);
        samples.forEach((name, sample) -> {
            int refused = 0;
            for (int i = 0; i < 3_000; i++) {
                byte[] value = sample.value().clone();
                if (i % 3 == 0) {
                    value = new byte[random.nextInt(40)];
                    random.nextBytes(value);
                } else if (i % 3 == 1) {
                    value = Arrays.copyOf(value, random.nextInt(value.length + 1));
                }
                for (int j = random.nextInt(3); j > 0 && value.length > 0; j--) {
                    value[random.nextInt(value.length)] = (byte) random.nextInt(256);
                }
                refused += isReadable(name, sample, value) ? 0 : 1;
            }
            // A third are random bytes. Some of the others stay whole or are damaged only within a text.
            assertThat(refused).as("refused of " + name).isGreaterThanOrEqualTo(1_000);
        });
    }

    @Test
    void shouldRejectEntriesOfAnUnknownFormatAndNameTheirStore() {
        samples.keySet().removeAll(BYTES_AS_THEY_CAME);
        samples.forEach((name, sample) -> {
            byte[] value = sample.value().clone();
            value[0] = 99;
            assertThatThrownBy(() -> sample.reader().apply(sample.key(), value))
                    .as(name)
                    .isInstanceOf(UnreadableStoreException.class)
                    .hasMessageContaining("of store");
        });
    }

    /* Whether a value can be read. Only UnreadableStoreException may say that it cannot. */
    private static boolean isReadable(String name, Sample sample, byte[] value) {
        try {
            return sample.reader().apply(sample.key(), value) != null;
        } catch (UnreadableStoreException e) {
            assertThat(e).as(name + " " + hex(value)).hasMessageContaining("of store");
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError(name + " " + hex(value), e);
        }
    }

    private static Head readHead(byte[] key, byte[] value) {
        return LayerGraphLayout.readHead(key, value, new SharedParts());
    }
}
