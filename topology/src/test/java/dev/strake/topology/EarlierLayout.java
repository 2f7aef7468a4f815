package dev.strake.topology;

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
 * Stores as they were written before format 2 of a revision: what it touched had a list of its own, which did not tell
 * a removal from an edit.
 */
final class EarlierLayout {

    private EarlierLayout() {}

    /** The same stores; those of a topology that has never pruned anything. */
    static Map<String, Map<String, byte[]>> of(Map<String, Map<String, byte[]>> stores) {
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
        return result;
    }
}
