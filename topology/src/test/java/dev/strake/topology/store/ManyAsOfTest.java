package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.topology.TopologyHarness;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many documents of a revision, looked up one after another: as each by itself, and with few iterators. */
class ManyAsOfTest {

    private static final String WORKSPACE = "site-a";
    private static final int DOCUMENTS = 200;
    private static final int REVISIONS = 45;
    private static final String DOCUMENT = """
            ---
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: thing-%d, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {value: %d}
            """;

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final TopologyHarness strake = new TopologyHarness();
    private final AtomicInteger opened = new AtomicInteger();

    /* Some documents change with each revision, most with few; in each revision some are not there. */
    @BeforeEach
    void publish() {
        for (int revision = 1; revision <= REVISIONS; revision++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < DOCUMENTS; i++) {
                if ((i + revision) % 29 != 0 || revision == 1) {
                    text.append(DOCUMENT.formatted(i, i % 50 == 0 ? revision : 0));
                }
            }
            strake.send(WORKSPACE, text.toString());
            strake.send("other", DOCUMENT.formatted(1, revision));
        }
    }

    @AfterEach
    void close() {
        strake.close();
    }

    private static DocumentId id(int number) {
        return new DocumentId("example/Thing/v1", "site", "thing-" + number);
    }

    @Test
    void shouldFindWhatASearchFindsInWhateverOrder() {
        StateReader state = new StateReader(strake::store);
        for (int i = 0; i < 20; i++) {
            long revision = random.nextInt(REVISIONS + 2);
            List<DocumentId> asked = new ArrayList<>();
            for (int j = -1; j <= DOCUMENTS; j++) {
                asked.add(id(random.nextInt(3) == 0 ? random.nextInt(DOCUMENTS) : j));
            }
            if (i % 2 == 0) {
                asked.sort(Comparator.comparing(ManyAsOf::place));
            } else {
                Collections.shuffle(asked, random);
            }
            try (ManyAsOf many = state.manyAsOf(WORKSPACE, revision)) {
                for (DocumentId id : asked) {
                    assertThat(published(many.document(id)))
                            .as("-Dstrake.seed=%d: %s as of %d", seed, id, revision)
                            .isEqualTo(published(state.documentAsOf(WORKSPACE, id, revision)));
                    assertThat(many.rendering(id))
                            .as("-Dstrake.seed=%d: rendering of %s as of %d", seed, id, revision)
                            .isEqualTo(state.renderingAsOf(WORKSPACE, id, revision));
                }
            }
        }
    }

    private static Optional<MapValue> published(DocumentsLayout.Entry entry) {
        return entry.isRemoved()
                ? Optional.empty()
                : Optional.of(entry.document().tree());
    }

    /* Opening one takes the lock of the store, for which writers wait. */
    @Test
    void shouldOpenAnIteratorForManyDocumentsAndNotForEach() {
        StateReader state = new StateReader(store -> counted(strake.store(store)));
        List<DocumentId> all = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            all.add(id(i));
        }
        all.sort(Comparator.comparing(ManyAsOf::place));
        try (ManyAsOf many = state.manyAsOf(WORKSPACE, REVISIONS)) {
            all.forEach(id -> {
                many.document(id);
                many.rendering(id);
            });
        }
        assertThat(opened.get()).isPositive().isLessThan(DOCUMENTS / 5);
    }

    @SuppressWarnings("unchecked")
    private ReadOnlyKeyValueStore<Bytes, byte[]> counted(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        return (ReadOnlyKeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ReadOnlyKeyValueStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().endsWith("ange")) {
                        opened.incrementAndGet();
                    }
                    return method.invoke(store, arguments);
                });
    }
}
