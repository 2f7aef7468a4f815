package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.TopologyHarness;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which documents stay parsed, where several tasks share what there is for them. */
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
        private final DocumentCache contents;

        Task(CacheBudget budget) {
            contents = new DocumentCache(new StateReader(reads::counting, InstalledKeys.NONE), budget);
        }

        /** Uses the first few documents, and returns how many of them had to be read. */
        int use(int documents) {
            int before = reads.count;
            for (int number = 0; number < documents; number++) {
                DocumentId id = new DocumentId("example/Thing/v1", "site", Integer.toString(number));
                assertThat(contents.of(WORKSPACE, head).document(id).id()).isEqualTo(id);
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

    private static CacheBudget room(int documents, int tasks) {
        return new CacheBudget(documents * DOCUMENT_BYTES, tasks);
    }

    @Test
    void shouldLetOneTaskHaveWhatOthersLeave() {
        Task busy = new Task(room(DOCUMENTS, 12));
        assertThat(busy.use(DOCUMENTS)).isEqualTo(DOCUMENTS);
        assertThat(busy.use(DOCUMENTS)).as("far more than a twelfth").isZero();
    }

    @Test
    void shouldReadAgainWhatThereIsNoRoomFor() {
        Task busy = new Task(room(DOCUMENTS / 2, 1));
        assertThat(busy.use(DOCUMENTS)).isEqualTo(DOCUMENTS);
        assertThat(busy.use(DOCUMENTS)).as("used longest ago, dropped first").isEqualTo(DOCUMENTS);
        assertThat(new Task(room(0, 12)).use(2)).isEqualTo(2);
    }

    @Test
    void shouldKeepItsShareForATaskThatComesLater() {
        CacheBudget budget = room(DOCUMENTS, 4);
        Task first = new Task(budget);
        first.use(DOCUMENTS);
        Task later = new Task(budget);
        later.use(DOCUMENTS);
        assertThat(later.use(4)).as("all but the last five are dropped again").isEqualTo(4);
        assertThat(later.use(4)).isZero();
    }

    @Test
    void shouldMakeRoomInPausesForTasksThatUseMore() {
        CacheBudget budget = room(DOCUMENTS, 4);
        Task first = new Task(budget);
        first.use(DOCUMENTS);
        Task later = new Task(budget);
        later.use(DOCUMENTS);
        for (int pause = 0; pause < 40; pause++) {
            first.contents.tidy();
            later.use(10);
        }
        assertThat(later.use(10)).as("twice its share").isZero();
    }

    @Test
    void shouldGiveEverythingBackWhenATaskEnds() {
        CacheBudget budget = room(DOCUMENTS, 4);
        Task first = new Task(budget);
        first.use(DOCUMENTS);
        first.contents.close();
        Task later = new Task(budget);
        later.use(DOCUMENTS);
        assertThat(later.use(DOCUMENTS)).isZero();
    }

    @Test
    void shouldNeverTakeMoreThanASixteenthOfTheHeap() {
        long sixteenth = Runtime.getRuntime().maxMemory() / 16;
        CacheBudget budget = CacheBudget.of(new Memory(Long.MAX_VALUE, Duration.ZERO), 12);
        budget.use(sixteenth);
        assertThat(budget.isExceeded(sixteenth)).isFalse();
        budget.use(1);
        assertThat(budget.isExceeded(sixteenth + 1)).isTrue();
        CacheBudget small = CacheBudget.of(new Memory(100, Duration.ZERO), 12);
        small.use(101);
        assertThat(small.isExceeded(101)).isTrue();
    }
}
