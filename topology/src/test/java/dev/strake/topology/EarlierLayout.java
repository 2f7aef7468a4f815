package dev.strake.topology;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Evaluation.Internal;
import dev.strake.engine.render.Evaluation.Invalid;
import dev.strake.engine.render.Evaluation.Published;
import dev.strake.engine.render.Evaluation.Rendered;
import dev.strake.engine.render.Evaluation.Result;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Head;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout;
import dev.strake.serdes.store.RenderedLayout.Rendering;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.TouchedLayout;
import dev.strake.serdes.store.TouchedLayout.Touched;
import dev.strake.serdes.text.JsonValues;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StoredRevision;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores as they were written before format 2 of a revision and of a rendering: what a revision touched had a list of
 * its own, which did not tell a removal from an edit, renderings held the data itself, and no hash saw the order of keys.
 */
final class EarlierLayout {

    private static final byte REVISION = 0;
    private static final byte TOUCHED = 1;
    private static final byte RENDERING = 0;

    private final Map<String, Map<String, byte[]>> stores;
    private final StateReader state;
    private static final int TAIL = 5;

    private final Map<List<Object>, Contents> revisions = new HashMap<>();

    private EarlierLayout(TopologyHarness strake) {
        stores = strake.dump();
        state = new StateReader(strake::store);
    }

    /** The same stores; those of a topology that has never pruned anything. */
    static Map<String, Map<String, byte[]>> of(TopologyHarness strake) {
        EarlierLayout earlier = new EarlierLayout(strake);
        earlier.separateWhatWasTouched();
        byte[] anyHead = LayerGraphLayout.headPrefix("");
        earlier.rewrite(LayerGraphLayout.STORE, anyHead[0], 4, earlier::hashedByContent);
        earlier.rewrite(RenderedLayout.STORE, RENDERING, 2, earlier::withData);
        return earlier.stores;
    }

    private interface Rewriting {
        byte[] value(String workspace, byte[] key, byte[] value);
    }

    private void rewrite(String store, byte kind, int format, Rewriting rewriting) {
        stores.get(store).replaceAll((name, value) -> {
            byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
            return key[0] == kind && value[0] == format ? rewriting.value(workspace(key), key, value) : value;
        });
    }

    private static String workspace(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        return reader.text();
    }

    private Contents contents(String workspace, long revision) {
        return revisions.computeIfAbsent(
                List.of(workspace, revision), key -> new StoredRevision(state, workspace, revision).derived());
    }

    /* What formats 2 and 3 added takes a byte for each of its numbers then, and that for an empty list. */
    private static Revision withoutTail(Revision revision) {
        return new Revision(
                revision.time(),
                revision.change(),
                revision.status(),
                revision.documents(),
                revision.work(),
                revision.published(),
                revision.tags(),
                List.of(),
                new RenderLimits(1, 1, 0, 1, 1),
                Note.NONE);
    }

    private void separateWhatWasTouched() {
        Map<String, byte[]> before = new TreeMap<>();
        stores.get(RevisionsLayout.STORE).forEach((name, value) -> {
            byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
            before.put(name, key[0] == TOUCHED ? format1(TouchedLayout.read(key, value)) : value);
            if (key[0] == REVISION) {
                Revision revision = RevisionsLayout.read(key, value);
                byte[] old = RevisionsLayout.write(withoutTail(revision));
                old[0] = 1;
                before.put(name, Arrays.copyOf(old, old.length - TAIL));
                if (!revision.touched().isEmpty()) { // else it has its lists already
                    byte[] list = TouchedLayout.key(workspace(key), RevisionsLayout.revision(key), 0);
                    before.put(new String(list, StandardCharsets.ISO_8859_1), format1(revision.touched()));
                }
            }
        });
        stores.put(RevisionsLayout.STORE, before);
    }

    private static byte[] format1(List<Touched> touched) {
        byte[] list = TouchedLayout.write(touched.stream()
                .map(each -> new Touched(
                        each.document(),
                        each.edited(),
                        each.rendered(),
                        each.moved(),
                        false,
                        each.documentBefore(),
                        each.renderedBefore()))
                .toList());
        list[0] = 1;
        return list;
    }

    private byte[] hashedByContent(String workspace, byte[] key, byte[] value) {
        Head head = LayerGraphLayout.readHead(key, value, new HashMap<>(), id -> false);
        Evaluation now = head.evaluation();
        if (!(now instanceof Rendered rendered)) {
            return ofFormat1(value);
        }
        Contents contents = contents(workspace, state.history().lastRevision(workspace));
        Fingerprint data = contents.data(head.facts().id()).fingerprint();
        Fingerprint inputs = rendered.inputs().and(data); // any other hash: nothing but itself was ever equal to it
        Result result = new Result(inputs, rendered.result().schema(), data);
        Evaluation then = now instanceof Published published
                ? new Published(result, published.output(), now.changedAt())
                : now instanceof Invalid invalid
                        ? new Invalid(result, invalid.problem(), now.changedAt())
                        : new Internal(result, now.changedAt());
        return ofFormat1(LayerGraphLayout.writeHead(new Head(head.facts(), then)));
    }

    private static byte[] ofFormat1(byte[] head) {
        byte[] result = head.clone();
        result[0] = 1;
        return result;
    }

    private byte[] withData(String workspace, byte[] key, byte[] value) {
        Rendering rendering = RenderedLayout.read(key, value);
        ValueWriter writer = new ValueWriter(1);
        Value data = null;
        if (rendering.data() != null) {
            DocumentId id = LayerGraphLayout.document(key);
            Contents contents = contents(workspace, DocumentsLayout.revision(key));
            data = contents.data(id);
            if (Arrays.equals(
                    JsonBytes.of(data), JsonBytes.of(contents.document(id).data()))) {
                data = null;
            }
        }
        boolean hasProblem = rendering.problem() != null;
        writer.number(data == null ? hasProblem ? 3 : 1 : hasProblem ? 4 : 2);
        if (data != null) {
            writer.value(data);
        }
        if (hasProblem) {
            byte[] problem = JsonValues.write(ProblemJson.write(rendering.problem()));
            writer.text(new String(problem, StandardCharsets.UTF_8));
        }
        return writer.flag(rendering.inRenderedSet()).bytes();
    }
}
