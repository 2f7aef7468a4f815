package dev.strake.topology.layout;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.secret.SecretKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * The owners of derived documents at the head, in the store of the layer graph: what each of them read, and its
 * results. Every read and every derived document has a separate entry, so a change writes only entries that differ.
 *
 * <pre>
 * owner     key     2  workspace  schema  layer  name
 *           value   1  flags: number  [ owner: fingerprint ]  [ problem: value ]  [ cause: identity ]
 *                      reads: number  documents: number
 *                      flags 1 owner · 2 stale · 4 problem · 8 cause
 * read      key     3  workspace  schema  layer  name (of the owner)  0  schema  name  path             data
 *                                                                     1  schema  labels: JSON           selection
 *           value   1  what it found: fingerprint
 * document  key     4  workspace  schema  layer  name (of the owner)  schema  name
 *           value   1  record: fingerprint  digest: 32 bytes  has secrets: flag
 * </pre>
 *
 * In workspaces with secrets these entries are {@linkplain SealedEntry sealed}.
 *
 * <p>The counts in an owner's entry tell whether all of its other entries exist.
 */
public final class OwnersLayout {

    private static final int OWNER = 2;
    private static final int READ = 3;
    private static final int DOCUMENT = 4;

    private static final int DATA = 0;
    private static final int SELECTION = 1;

    private static final int HAS_OWNER = 1;
    private static final int IS_STALE = 2;
    private static final int HAS_PROBLEM = 4;
    private static final int HAS_CAUSE = 8;

    private OwnersLayout() {}

    public static byte[][] prefixes(String workspace) {
        return new byte[][] {
            KeyWriter.of(OWNER, workspace).bytes(),
            KeyWriter.of(READ, workspace).bytes(),
            KeyWriter.of(DOCUMENT, workspace).bytes()
        };
    }

    /**
     * Returns all entries of an owner, by their keys.
     *
     * @param derived null if the document is not an owner, and so has no entries
     */
    public static Map<Bytes, byte[]> entries(String workspace, DocumentId owner, Derived derived) {
        Map<Bytes, byte[]> result = new HashMap<>();
        if (derived == null) {
            return result;
        }
        result.put(Bytes.wrap(key(OWNER, workspace, owner).bytes()), write(derived));
        derived.reads()
                .forEach((read, found) -> result.put(
                        Bytes.wrap(key(workspace, owner, read)),
                        new ValueWriter(1, 20).fingerprint(found).bytes()));
        derived.documents().forEach((document, output) -> {
            byte[] key = key(DOCUMENT, workspace, owner).key(document).bytes();
            ValueWriter writer = new ValueWriter(1, 64);
            RenderedLayout.writeOutput(writer, output);
            writer.flag(output.secret());
            result.put(Bytes.wrap(key), writer.bytes());
        });
        return result;
    }

    private static Output output(ValueReader reader) {
        Output unmarked = RenderedLayout.readOutput(reader, false);
        return new Output(unmarked.record(), unmarked.digest(), reader.flag());
    }

    /** Seals an entry of an owner, if there are keys. */
    public static byte[] seal(SecretKeys keys, byte[] key, byte[] value) {
        return SealedEntry.write(keys, LayerGraphLayout.STORE, key, value, () -> withoutHashes(key, value));
    }

    private static byte[] withoutHashes(byte[] key, byte[] value) {
        int kind = new KeyReader(key).kind();
        return ValueReader.read(LayerGraphLayout.STORE, key, value, 1, reader -> withoutHashes(kind, reader));
    }

    private static byte[] withoutHashes(int kind, ValueReader reader) {
        ValueWriter writer = new ValueWriter(1, 64);
        if (kind == READ) {
            reader.fingerprint();
            writer.fingerprint(Fingerprint.LOST);
        } else if (kind == DOCUMENT) {
            output(reader);
            RenderedLayout.writeOutput(writer, Output.LOST);
            writer.flag(true);
        } else {
            int flags = reader.smallNumber();
            writer.number(flags);
            if ((flags & HAS_OWNER) != 0) {
                reader.fingerprint();
                writer.fingerprint(Fingerprint.LOST);
            }
            if ((flags & HAS_PROBLEM) != 0) {
                writer.value(reader.value());
            }
            if ((flags & HAS_CAUSE) != 0) {
                writer.id(reader.id());
            }
            writer.number(reader.number()).number(reader.number());
        }
        return writer.bytes();
    }

    private static KeyWriter key(int kind, String workspace, DocumentId owner) {
        return KeyWriter.of(kind, workspace).id(owner);
    }

    private static byte[] key(String workspace, DocumentId owner, Read read) {
        KeyWriter writer = key(READ, workspace, owner);
        if (read instanceof Read.Data data) {
            return writer.kind(DATA).key(data.document()).text(data.path()).bytes();
        }
        Read.Selection selection = (Read.Selection) read;
        return writer.kind(SELECTION)
                .text(selection.schema())
                .text(JsonBytes.text(selection.labels()))
                .bytes();
    }

    private static byte[] write(Derived derived) {
        ValueWriter writer = new ValueWriter(1, 64)
                .number((derived.owner() == null ? 0 : HAS_OWNER)
                        + (derived.isStale() ? IS_STALE : 0)
                        + (derived.problem() == null ? 0 : HAS_PROBLEM)
                        + (derived.cause() == null ? 0 : HAS_CAUSE));
        if (derived.owner() != null) {
            writer.fingerprint(derived.owner());
        }
        if (derived.problem() != null) {
            writer.value(ProblemJson.write(derived.problem()));
        }
        if (derived.cause() != null) {
            writer.id(derived.cause());
        }
        return writer.number(derived.reads().size())
                .number(derived.documents().size())
                .bytes();
    }

    /** Assembles owners from their entries, in any order. */
    public static final class Collected {

        private final Map<DocumentId, Parts> owners = new TreeMap<>();

        /** The entries of one owner. */
        private static final class Parts {
            private final Map<Read, Fingerprint> reads = new HashMap<>();
            private final Map<DocumentKey, Output> documents = new HashMap<>();
            private byte[] key;
            private byte[] value;
        }

        /** Adds one entry. */
        public void add(byte[] key, byte[] value) {
            KeyReader reader = new KeyReader(key);
            int kind = reader.kind();
            reader.text();
            Parts parts = owners.computeIfAbsent(reader.id(), owner -> new Parts());
            if (kind == OWNER) {
                parts.key = key;
                parts.value = value;
            } else if (kind == READ) {
                parts.reads.put(
                        read(reader),
                        ValueReader.read(LayerGraphLayout.STORE, key, value, 1, ValueReader::fingerprint));
            } else {
                parts.documents.put(
                        reader.key(), ValueReader.read(LayerGraphLayout.STORE, key, value, 1, OwnersLayout::output));
            }
        }

        private static Read read(KeyReader reader) {
            if (reader.kind() == DATA) {
                return new Read.Data(reader.key(), reader.text());
            }
            return new Read.Selection(reader.text(), (MapValue) JsonReader.read(reader.text()));
        }

        /**
         * Returns all owners.
         *
         * @throws UnreadableStoreException if entries are missing
         */
        public Map<DocumentId, Derived> owners() {
            Map<DocumentId, Derived> result = new HashMap<>();
            owners.forEach((owner, parts) -> {
                if (parts.value == null) {
                    throw new IllegalStateException(
                            "store " + LayerGraphLayout.STORE + " lacks the entry of owner " + owner
                                    + ", but has other entries of it; delete the local state of this task, which is restored from the changelog");
                }
                result.put(
                        owner,
                        ValueReader.read(
                                LayerGraphLayout.STORE, parts.key, parts.value, 1, reader -> derived(reader, parts)));
            });
            return result;
        }

        private static Derived derived(ValueReader reader, Parts parts) {
            int flags = reader.smallNumber();
            Fingerprint owner = (flags & HAS_OWNER) == 0 ? null : reader.fingerprint();
            Problem problem = (flags & HAS_PROBLEM) == 0 ? null : ProblemJson.read(reader.value());
            DocumentId cause = (flags & HAS_CAUSE) == 0 ? null : reader.id();
            if (reader.number() != parts.reads.size() || reader.number() != parts.documents.size()) {
                throw new UnreadableStoreException(
                        LayerGraphLayout.STORE,
                        parts.key,
                        "counts other reads and derived documents than the store has: entries are missing");
            }
            return new Derived(owner, parts.reads, parts.documents, (flags & IS_STALE) != 0, problem, cause);
        }
    }
}
