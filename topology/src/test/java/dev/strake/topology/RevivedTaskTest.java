package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.apply.ApplyChange;
import dev.strake.topology.apply.SharedMemory;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DocumentCache;
import dev.strake.topology.store.LiveHeads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task whose state is found corrupted, for example after a broker failure, is closed, restored and started again with
 * the same processor and with every punctuation that was not cancelled.
 */
class RevivedTaskTest {

    private static final String DOCUMENT = """
            {"schema": "deckhand/LayeringPolicy/v1",
             "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
             "data": {"layerOrder": ["site"]}}
            """;

    @TempDir
    Path directory;

    private MockProcessorContext<byte[], byte[]> context;
    private ApplyChange processor;
    private long offset;

    @BeforeEach
    void begin() {
        context = new MockProcessorContext<>(new Properties(), new TaskId(0, 0), directory.toFile());
        for (String name : RenderTopology.STORES) {
            KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        TopologySettings settings = TopologySettings.of(1);
        processor = RenderTopology.processor(
                settings,
                ChangeObserver.NONE,
                new SharedMemory(new DocumentCache(settings.cacheBytes()), new LiveHeads()));
        context.setCurrentSystemTimeMs(1_000);
        processor.init(context);
    }

    @Test
    void shouldContinuePruningAfterTheTaskIsRevived() {
        change(ChangeType.BUCKET_PUT, DOCUMENT);
        change(ChangeType.WORKSPACE_DELETE, null); // leaves a history to prune

        List<CapturedPunctuator> before = List.copyOf(context.scheduledPunctuators());
        processor.close();
        processor.init(context);
        for (int i = 0; i < 100; i++) {
            punctuate(1_000 + 1_000 * i);
        }

        assertThat(before).hasSize(2).allMatch(CapturedPunctuator::cancelled);
        WorkspaceQueries queries = new WorkspaceQueries(context::getStateStore, new LiveHeads(), InstalledKeys.NONE);
        assertThat(Whole.revisions(queries, "site-a")).hasSize(1);
    }

    private void change(ChangeType type, String body) {
        Headers headers = new RecordHeaders();
        headers.add(HeaderNames.CE_TYPE, type.text().getBytes(StandardCharsets.UTF_8));
        context.setRecordMetadata("strake.document-changes", 0, offset++);
        byte[] value = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        processor.process(new Record<>("site-a", value, 1_000, headers));
    }

    /* Runs the punctuations, shortest interval first. Streams also runs those left from before the restart. */
    private void punctuate(long now) {
        context.scheduledPunctuators().stream()
                .sorted(Comparator.comparing(CapturedPunctuator::getInterval))
                .filter(each -> !each.cancelled())
                .forEach(each -> each.getPunctuator().punctuate(now));
    }
}
