package dev.strake.topology;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.render.Contents;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout;
import dev.strake.serdes.store.RenderedLayout.Rendering;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.TouchedLayout;
import dev.strake.serdes.store.TouchedLayout.Touched;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores as they were written before format 2 of a revision and of a rendering: what a revision touched had a list of
 * its own, which did not tell a removal from an edit, and renderings held the data itself.
 */
final class EarlierLayout {

    private EarlierLayout() {}

    /** The same stores; those of a topology that has never pruned anything, and in which nothing is in trouble. */
    static Map<String, Map<String, byte[]>> of(TopologyHarness strake) {
        Map<String, Map<String, byte[]>> stores = strake.dump();
        Map<String, byte[]> revisions = stores.get(RevisionsLayout.STORE);
        Map<String, byte[]> before = new TreeMap<>(revisions);
        revisions.forEach((name, value) -> {
            byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
            if (key[0] == 0) {
                Revision revision = RevisionsLayout.read(key, value);
                byte[] old = RevisionsLayout.write(revision.withTouched(List.of()));
                old[0] = 1;
                before.put(name, Arrays.copyOf(old, old.length - 1));
                List<Touched> touched = revision.touched().stream()
                        .map(each -> new Touched(
                                each.document(),
                                each.edited(),
                                each.rendered(),
                                each.moved(),
                                false,
                                each.documentBefore(),
                                each.renderedBefore()))
                        .toList();
                byte[] list = TouchedLayout.write(touched);
                list[0] = 1;
                byte[] listKey = TouchedLayout.key(TopologyHarness.WORKSPACE, RevisionsLayout.revision(key), 0);
                before.put(new String(listKey, StandardCharsets.ISO_8859_1), list);
            }
        });
        Map<String, Map<String, byte[]>> result = new TreeMap<>(stores);
        result.put(RevisionsLayout.STORE, before);
        Map<String, byte[]> renderings = new TreeMap<>(stores.get(RenderedLayout.STORE));
        renderings.replaceAll((name, value) -> {
            byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
            boolean isRendering = key[0] == 0 && value[0] == 2;
            return isRendering ? withData(strake, key, RenderedLayout.read(key, value)) : value;
        });
        result.put(RenderedLayout.STORE, renderings);
        return result;
    }

    private static byte[] withData(TopologyHarness strake, byte[] key, Rendering rendering) {
        DocumentId id = LayerGraphLayout.document(key);
        long revision = DocumentsLayout.revision(key);
        StateReader state = new StateReader(strake::store);
        Contents contents = new StoredRevision(state, TopologyHarness.WORKSPACE, revision).contents();
        Value data = contents.data(id);
        return data.equals(contents.document(id).data())
                ? new ValueWriter(1).number(1).flag(rendering.inRenderedSet()).bytes()
                : new ValueWriter(1)
                        .number(2)
                        .value(data)
                        .flag(rendering.inRenderedSet())
                        .bytes();
    }
}
