package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Touched;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes from the complete stores of one workspace which entries the kept revisions need. It knows the layouts, but
 * not how pruning works.
 */
final class Needed {

    private static final char FIRST_KIND = 0;
    private static final char SECOND_KIND = 1;
    private static final char THIRD_KIND = 2;
    private static final int VALIDATION = 6;

    private final Map<String, Map<String, byte[]>> everything;
    private final NavigableSet<Long> kept;
    private final SecretKeys keys;

    Needed(Map<String, Map<String, byte[]>> everything, NavigableSet<Long> kept, SecretKeys keys) {
        this.everything = everything;
        this.kept = kept;
        this.keys = keys;
    }

    /** Checks that the pruned stores hold exactly the needed entries. */
    void checkStores(Map<String, Map<String, byte[]>> stores) {
        byte[] noDocument = DocumentsLayout.write(DocumentsLayout.Entry.REMOVED);
        assertThat(normal(stores.get(DocumentsLayout.STORE), noDocument))
                .as("documents")
                .isEqualTo(history(everything.get(DocumentsLayout.STORE), noDocument));

        byte[] noParent = LayerGraphLayout.writeParent(null);
        Map<String, byte[]> graph = everything.get(LayerGraphLayout.STORE);
        assertThat(normal(ofKind(stores.get(LayerGraphLayout.STORE), SECOND_KIND), noParent))
                .as("parents")
                .isEqualTo(history(ofKind(graph, SECOND_KIND), noParent));
        assertSame("heads", ofKind(stores.get(LayerGraphLayout.STORE), FIRST_KIND), ofKind(graph, FIRST_KIND));

        byte[] noRendering = RenderedLayout.write(RenderedLayout.Rendering.REMOVED);
        Map<String, byte[]> rendered = everything.get(RenderedLayout.STORE);
        assertThat(normal(ofKind(stores.get(RenderedLayout.STORE), FIRST_KIND), noRendering))
                .as("renderings")
                .isEqualTo(history(ofKind(rendered, FIRST_KIND), noRendering));
        assertSame("held", ofKind(stores.get(RenderedLayout.STORE), SECOND_KIND), ofKind(rendered, SECOND_KIND));

        byte[] notDerived = RenderedLayout.writeDerived(RenderedLayout.DerivedRecord.NONE);
        assertThat(normal(ofKind(stores.get(RenderedLayout.STORE), THIRD_KIND), notDerived))
                .as("derived documents")
                .isEqualTo(history(ofKind(rendered, THIRD_KIND), notDerived));
        for (char kind = THIRD_KIND; kind < THIRD_KIND + 3; kind++) {
            assertSame("owners", ofKind(stores.get(LayerGraphLayout.STORE), kind), ofKind(graph, kind));
        }

        assertSame("changes", stores.get(ChangesLayout.STORE), everything.get(ChangesLayout.STORE));
        Map<String, byte[]> revisions = new TreeMap<>(stores.get(RevisionsLayout.STORE));
        // The horizon belongs to the pruner, and entries of keys belong to no revision.
        revisions.keySet().removeIf(key -> key.charAt(0) >= 3);
        assertSame("revisions", revisions, revisions());
        assertSame("results", results(stores), results(everything));
    }

    private static void assertSame(String what, Map<String, byte[]> entries, Map<String, byte[]> expected) {
        assertThat(entries.keySet()).as(what).isEqualTo(expected.keySet());
        expected.forEach((key, value) ->
                assertThat(entries.get(key)).as(what + " " + key).isEqualTo(value));
    }

    private static Map<String, byte[]> ofKind(Map<String, byte[]> entries, char kind) {
        Map<String, byte[]> result = new TreeMap<>(entries);
        result.keySet().removeIf(key -> key.charAt(0) != kind);
        return result;
    }

    /* The last entry up to each kept revision. A removal is needed only after an entry that is not one. */
    private Set<String> history(Map<String, byte[]> entries, byte[] removed) {
        Map<String, TreeMap<Long, String>> ofDocument = new TreeMap<>();
        for (String key : entries.keySet()) {
            ofDocument
                    .computeIfAbsent(key.substring(0, key.length() - Long.BYTES), document -> new TreeMap<>())
                    .put(DocumentsLayout.revision(bytes(key)), key);
        }
        Set<String> result = new TreeSet<>();
        for (TreeMap<Long, String> keys : ofDocument.values()) {
            String before = null;
            for (long revision : kept) {
                Map.Entry<Long, String> last = keys.floorEntry(revision);
                boolean there = last != null && !Arrays.equals(entries.get(last.getValue()), removed);
                if (there) {
                    result.add(last.getValue());
                } else if (before != null) {
                    result.add(removalAfter(before));
                }
                before = there ? last.getValue() : null;
            }
        }
        return result;
    }

    /* Names a removal by the entry that it ends: any of several removals may be left, but only one. */
    private static Set<String> normal(Map<String, byte[]> entries, byte[] removed) {
        Set<String> result = new TreeSet<>();
        String before = "";
        for (Map.Entry<String, byte[]> entry : new TreeMap<>(entries).entrySet()) {
            String key = entry.getKey();
            boolean there = !Arrays.equals(entry.getValue(), removed);
            boolean ends =
                    before.length() == key.length() && before.regionMatches(0, key, 0, key.length() - Long.BYTES);
            result.add(there || !ends ? key : removalAfter(before));
            before = there ? key : "";
        }
        return result;
    }

    private static String removalAfter(String key) {
        return key + " is the last one";
    }

    private Map<String, byte[]> revisions() {
        Map<String, byte[]> all = everything.get(RevisionsLayout.STORE);
        Map<String, byte[]> result = new TreeMap<>();
        all.forEach((key, value) -> {
            boolean ofRevision = key.charAt(0) == FIRST_KIND;
            long revision = ofRevision || key.charAt(0) == SECOND_KIND ? RevisionsLayout.revision(bytes(key)) : 0;
            if (!kept.contains(revision)) {
                return;
            }
            if (ofRevision || revision == 1 || revision > kept.first()) {
                result.put(key, value);
            }
        });
        gaps(all).forEach((key, touched) -> result.put(key, TouchedLayout.writeGap(touched)));
        return result;
    }

    private Map<String, byte[]> results(Map<String, Map<String, byte[]>> stores) {
        Map<String, byte[]> result = new TreeMap<>(stores.get(RevisionsLayout.STORE));
        result.keySet()
                .removeIf(key -> new KeyReader(bytes(key)).kind() != VALIDATION
                        || (stores == everything && !kept.contains(RevisionsLayout.revision(bytes(key)))));
        return result;
    }

    private Map<String, Touched> gaps(Map<String, byte[]> all) {
        Map<String, Touched> result = new TreeMap<>();
        all.forEach((key, value) -> {
            boolean ofRevision = key.charAt(0) == FIRST_KIND;
            if (ofRevision || key.charAt(0) == SECOND_KIND) {
                long revision = RevisionsLayout.revision(bytes(key));
                Long before = kept.floor(revision);
                if (before != null && before < revision) {
                    List<Touched> touchedThen = ofRevision
                            ? RevisionsLayout.read(keys, bytes(key), value).touched()
                            : TouchedLayout.read(bytes(key), value);
                    touchedThen.forEach(
                            touched -> result.merge(gapKey(before, touched.document()), touched, Touched::and));
                }
            }
        });
        return result;
    }

    private static String gapKey(long revision, DocumentId id) {
        return new String(TouchedLayout.gapKey(TopologyHarness.WORKSPACE, revision, id), StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.ISO_8859_1);
    }
}
