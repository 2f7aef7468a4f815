package dev.strake.topology.layout;

import dev.strake.engine.document.Kind;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.graph.Claims;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Standing;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Evaluation.Blocked;
import dev.strake.engine.render.Evaluation.Evaluated;
import dev.strake.engine.render.Evaluation.Failed;
import dev.strake.engine.render.Evaluation.Internal;
import dev.strake.engine.render.Evaluation.Invalid;
import dev.strake.engine.render.Evaluation.Published;
import dev.strake.engine.render.Evaluation.Rendered;
import dev.strake.engine.render.Evaluation.Result;
import dev.strake.engine.render.Evaluation.Unready;
import dev.strake.engine.render.Evaluation.Withheld;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Head;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.secret.SecretKeys;
import java.util.List;
import java.util.function.Function;

/**
 * The store of the layer graph: the heads of all documents, and the parents of documents in every revision.
 *
 * <pre>
 * head      key     0  workspace  schema  layer  name
 *           value   1  facts  evaluation
 * history   key     1  workspace  schema  layer  name  revision
 *           value   1  has parent: flag  [ parent: identity ]
 *
 * facts     flags: number (1 control · 2 abstract · 4 replacement · 8 has layer order · 16 has target · 32 encrypted)
 *           bucket: text
 *           labels: value  selector: value  sources: list of (schema, name)  [ layer order: list of text ]
 *           [ target ]  metadata: fingerprint  content: fingerprint  since: number
 * target    schema: text  name: optional text  labels: value
 * evaluation flags: number (1 inputs · 2 schema · 4 data · 8 output · 16 problem · 32 cause · 64 the output is secret · 128 withheld)
 *           the fingerprints, output, problem (value), cause (identity) that are there, in this order
 *           changed at: number  [ withheld since: number ]
 *           of a document that is withheld, the problem and the cause are of what is derived
 * </pre>
 *
 * Heads of documents made from secrets are {@linkplain SealedEntry sealed}.
 *
 * <p>{@link OwnersLayout} describes further entries of this store.
 *
 * <p>Opening a workspace reads the heads of this store, and a parent only if it is hard to find among many documents. A
 * head names the revisions that wrote the document and its rendering, so both are found without a search.
 */
public final class LayerGraphLayout {

    public static final String STORE = "layer-graph";

    private static final int HEAD = 0;
    private static final int HISTORY = 1;

    private LayerGraphLayout() {}

    public static byte[] headKey(String workspace, DocumentId id) {
        return KeyWriter.of(HEAD, workspace).id(id).bytes();
    }

    public static byte[] headPrefix(String workspace) {
        return KeyWriter.of(HEAD, workspace).bytes();
    }

    /** Returns the key of a document's parent. The keys of revision 0 and a later one are the bounds of its history. */
    public static byte[] parentKey(String workspace, DocumentId id, long revision) {
        return KeyWriter.of(HISTORY, workspace).id(id).number(revision).bytes();
    }

    public static boolean isHead(byte[] key) {
        return key[0] == HEAD;
    }

    public static boolean isParent(byte[] key) {
        return key[0] == HISTORY;
    }

    /** Returns the document in the key of a head or of a parent. */
    public static DocumentId document(byte[] key) {
        return KeyReader.afterWorkspace(key).id();
    }

    public static byte[] writeHead(Head head) {
        Evaluation evaluation = head.evaluation();
        ValueWriter writer = new ValueWriter(1, 256);
        Facts facts = head.facts();
        Claims claims = facts.claims();
        writer.number((facts.isControl() ? 1 : 0)
                + (facts.isAbstract() ? 2 : 0)
                + (facts.isReplacement() ? 4 : 0)
                + (claims.layerOrder() == null ? 0 : 8)
                + (claims.target() == null ? 0 : 16)
                + (facts.isEncrypted() ? 32 : 0));
        writer.text(facts.bucket()).value(facts.labels()).value(claims.selector());
        writer.list(claims.sources(), ValueWriter::key);
        if (claims.layerOrder() != null) {
            writer.list(claims.layerOrder(), ValueWriter::text);
        }
        if (claims.target() != null) {
            writeTarget(writer, claims.target());
        }
        writer.fingerprint(facts.metadata()).fingerprint(facts.content()).number(facts.since());
        writeEvaluation(writer, evaluation);
        return writer.bytes();
    }

    /** Writes the head of a document; with keys, sealed, beside a copy that can be read without the key. */
    public static byte[] writeHead(SecretKeys keys, byte[] key, Head head) {
        return sealed(keys, key, head, writeHead(head));
    }

    /** Seals a stored head. */
    public static byte[] sealHead(SecretKeys keys, byte[] key, byte[] value) {
        return sealed(keys, key, readHead(key, value, new SharedParts()), value);
    }

    private static byte[] sealed(SecretKeys keys, byte[] key, Head head, byte[] value) {
        return SealedEntry.write(keys, STORE, key, value, () -> writeHead(withLostHashes(head)));
    }

    private static Head withLostHashes(Head head) {
        Evaluation evaluation = new Unready(null, head.evaluation().changedAt());
        return new Head(head.facts().withContent(Fingerprint.LOST), evaluation);
    }

    /** Adapts a sealed head that was read without its key, and adds a problem that reports the missing key. */
    public static Head withoutHashes(Head head, MissingKey missing) {
        Problem problem = missing.problemOfHashes(head.facts().id());
        return new Head(head.facts(), new Unready(problem, head.evaluation().changedAt()));
    }

    /**
     * Reads the head of a document.
     *
     * @param shared parts of other heads, which this head reuses and adds to
     */
    public static Head readHead(byte[] key, byte[] value, SharedParts shared) {
        return ValueReader.read(STORE, key, value, 1, reader -> head(key, reader, shared));
    }

    private static Head head(byte[] key, ValueReader reader, SharedParts shared) {
        int flags = reader.smallNumber();
        String bucket = shared.text(reader.text());
        MapValue labels = (MapValue) reader.value();
        MapValue selector = (MapValue) reader.value(shared.selectors());
        List<DocumentKey> sources = List.copyOf(reader.list(each -> shared.key(each.key())));
        List<String> layerOrder = (flags & 8) == 0 ? null : List.copyOf(reader.list(ValueReader::text));
        Target target = (flags & 16) == 0 ? null : readTarget(reader);
        DocumentId id = shared.id(document(key));
        boolean control = (flags & 1) != 0;
        Kind kind = Kind.of(id.schema(), control);
        boolean encrypted = (flags & 32) != 0;
        Facts facts = new Facts(
                id,
                bucket,
                new Standing(kind, control, (flags & 2) != 0, (flags & 4) != 0, encrypted),
                labels,
                Claims.of(selector, sources, target, layerOrder),
                new Facts.Hashes(reader.fingerprint(), reader.fingerprint()),
                reader.number());
        return new Head(facts, readEvaluation(reader));
    }

    private static void writeEvaluation(ValueWriter writer, Evaluation whole) {
        Evaluation evaluation = whole.forDependents();
        Problem problem = whole.problem();
        DocumentId cause = whole.cause();
        Fingerprint inputs = evaluation instanceof Evaluated evaluated ? evaluated.inputs() : null;
        Fingerprint schema =
                evaluation instanceof Rendered rendered ? rendered.result().schema() : null;
        writer.number((inputs == null ? 0 : 1)
                + (schema == null ? 0 : 2)
                + (evaluation.data() == null ? 0 : 4)
                + (evaluation.output() == null ? 0 : 8)
                + (problem == null ? 0 : 16)
                + (cause == null ? 0 : 32)
                + (evaluation.output() != null && evaluation.output().secret() ? 64 : 0)
                + (whole instanceof Withheld ? 128 : 0));
        for (Fingerprint hash : new Fingerprint[] {inputs, schema, evaluation.data()}) {
            if (hash != null) {
                writer.fingerprint(hash);
            }
        }
        if (evaluation.output() != null) {
            RenderedLayout.writeOutput(writer, evaluation.output());
        }
        if (problem != null) {
            writer.value(ProblemJson.write(problem));
        }
        if (cause != null) {
            writer.id(cause);
        }
        writer.number(evaluation.changedAt());
        if (whole instanceof Withheld) {
            writer.number(whole.changedAt());
        }
    }

    /* The components that are present determine the kind of evaluation. */
    private static Evaluation readEvaluation(ValueReader reader) {
        int flags = reader.smallNumber();
        Function<Integer, Fingerprint> hash = flag -> (flags & flag) == 0 ? null : reader.fingerprint();
        Fingerprint inputs = hash.apply(1);
        Fingerprint schema = hash.apply(2);
        Fingerprint data = hash.apply(4);
        Output output = (flags & 8) == 0 ? null : RenderedLayout.readOutput(reader, (flags & 64) != 0);
        Problem problem = (flags & 16) == 0 ? null : ProblemJson.read(reader.value());
        DocumentId cause = (flags & 32) == 0 ? null : reader.id();
        long changedAt = reader.number();
        if (data == null) {
            return inputs != null
                    ? new Failed(inputs, problem, changedAt)
                    : cause == null ? new Unready(problem, changedAt) : new Blocked(problem, cause, changedAt);
        }
        Result result = new Result(inputs, schema, data);
        if ((flags & 128) != 0) {
            Rendered of = output == null ? new Internal(result, changedAt) : new Published(result, output, changedAt);
            return new Withheld(of, problem, cause, reader.number());
        }
        if (problem != null) {
            return new Invalid(result, problem, changedAt);
        }
        return output == null ? new Internal(result, changedAt) : new Published(result, output, changedAt);
    }

    /** Writes the parent of a document; null for none. */
    public static byte[] writeParent(DocumentId parent) {
        ValueWriter writer = new ValueWriter(1).flag(parent != null);
        if (parent != null) {
            writer.id(parent);
        }
        return writer.bytes();
    }

    /** Reads the parent of a document; null for none. */
    public static DocumentId readParent(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 1, reader -> reader.flag() ? reader.id() : null);
    }

    private static void writeTarget(ValueWriter writer, Target target) {
        writer.text(target.schema()).optionalText(target.name()).value(target.labels());
    }

    private static Target readTarget(ValueReader reader) {
        return new Target(reader.text(), reader.optionalText(), (MapValue) reader.value());
    }
}
