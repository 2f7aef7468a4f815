package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.TopologyHarness;
import java.lang.reflect.Proxy;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which documents stay parsed, of all tasks together. */
class DocumentCacheTest {

    private static final String WORKSPACE = TopologyHarness.WORKSPACE;
    private static final int DOCUMENTS = 20;
    private static final long DOCUMENT_BYTES = 1_600; // about, with what is kept beside it
    private static final String DOCUMENT = """
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: "%s", storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {long: "%s"}
            """;

    private final TopologyHarness strake = new TopologyHarness();
    private Workspace head;

    @BeforeEach
    void publish() {
        String documents = IntStream.range(0, DOCUMENTS)
                .mapToObj(number -> DOCUMENT.formatted(number, "x".repeat(1_100)))
                .collect(Collectors.joining("---\n"));
        strake.send(WORKSPACE, documents);
        head = new StateReader(strake::store, InstalledKeys.NONE).open(WORKSPACE);
    }

    @AfterEach
    void close() {
        strake.close();
    }

    /** One task's contents over stores that count what is read of them. */
    private final class Task {

        private final ReadCounter reads = new ReadCounter();
        private final StateReader stores = new StateReader(reads::counting, InstalledKeys.NONE);
        private final DocumentCache cache;

        Task(DocumentCache cache) {
            this.cache = cache;
        }

        /** Uses the first few documents, and returns how many of them had to be read. */
        int use(int documents) {
            int before = reads.count;
            for (int number = 0; number < documents; number++) {
                DocumentId id = new DocumentId("example/Thing/v1", "site", Integer.toString(number));
                assertThat(cache.of(stores, WORKSPACE, head).document(id).id()).isEqualTo(id);
            }
            return reads.count - before;
        }
    }

    private final class ReadCounter {

        private int count;

        @SuppressWarnings("unchecked") // the proxy has exactly this interface
        KeyValueStore<Bytes, byte[]> counting(String name) {
            return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {KeyValueStore.class}, (proxy, method, args) -> {
                        count += method.getName().equals("get") ? 1 : 0;
                        return method.invoke(strake.store(name), args);
                    });
        }
    }

    private static DocumentCache room(int documents) {
        return new DocumentCache(documents * DOCUMENT_BYTES);
    }

    @Test
    void shouldKeepWhatThereIsRoomForAndReadTheRestAgain() {
        Task busy = new Task(room(DOCUMENTS));
        assertThat(busy.use(DOCUMENTS)).isEqualTo(DOCUMENTS);
        assertThat(busy.use(DOCUMENTS)).isZero();
        Task cramped = new Task(room(DOCUMENTS / 2));
        assertThat(cramped.use(DOCUMENTS)).isEqualTo(DOCUMENTS);
        assertThat(cramped.use(DOCUMENTS)).as("used longest ago, dropped first").isEqualTo(DOCUMENTS);
    }

    @Test
    void shouldKeepTheDocumentsOfTasksApart() {
        DocumentCache cache = room(2 * DOCUMENTS);
        Task first = new Task(cache);
        Task second = new Task(cache);
        first.use(DOCUMENTS);
        assertThat(second.use(DOCUMENTS)).isEqualTo(DOCUMENTS);
        assertThat(first.use(DOCUMENTS) + second.use(DOCUMENTS)).isZero();
    }

    @Test
    void shouldGiveEverythingBackWhenATaskEnds() {
        DocumentCache cache = room(DOCUMENTS);
        Task first = new Task(cache);
        first.use(DOCUMENTS);
        cache.close(first.stores);
        Task later = new Task(cache);
        later.use(DOCUMENTS);
        assertThat(later.use(DOCUMENTS)).isZero();
        assertThat(first.use(1)).isEqualTo(1);
    }
}
