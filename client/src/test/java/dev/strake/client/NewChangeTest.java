package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.text.UnreadableTextException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

/** Converting a change to records. */
class NewChangeTest {

    private static List<ProducerRecord<byte[], byte[]>> records(List<Value> items, List<String> origins) {
        return NewChange.ofBucket("ws", "id", ChangeType.BUCKET_PUT, "b", items, origins)
                .records("changes");
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldSendTheOriginsOfTheDocumentsOfEachPart() {
        List<Value> items = new ArrayList<>();
        List<String> origins = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            items.add(MapValue.of("text", new Text("x".repeat(3 << 20))));
            origins.add("file-" + i + ".yaml:1");
        }

        List<ProducerRecord<byte[], byte[]>> records = records(items, origins);

        assertThat(records).extracting(each -> header(each, "part")).containsExactly("1/3", "2/3", "3/3");
        assertThat(records)
                .extracting(each -> header(each, "origins"))
                .containsExactly(
                        "[\"file-0.yaml:1\",\"file-1.yaml:1\"]",
                        "[\"file-2.yaml:1\",\"file-3.yaml:1\"]",
                        "[\"file-4.yaml:1\"]");
        List<Value> read = new ArrayList<>();
        records.forEach(each -> read.addAll(((ListValue) JsonReader.read(each.value())).items()));
        assertThat(read).isEqualTo(items);
    }

    @Test
    void shouldSendAsDeckhandWithEachPart() {
        List<Value> large = List.of(new Text("x".repeat(5 << 20)), new Text("x".repeat(5 << 20)));
        NewChange change = NewChange.ofBucket("w", "id", ChangeType.BUCKET_PUT, "b", large);

        assertThat(change.with(Terms.NONE.putAsDeckhand(), Note.NONE).records("topic"))
                .hasSize(2)
                .allSatisfy(each -> assertThat(header(each, "as-deckhand")).isEqualTo("true"));
        assertThat(change.records("topic"))
                .allSatisfy(each -> assertThat(header(each, "as-deckhand")).isNull());
    }

    @Test
    void shouldSplitAChangeBeforeOriginsGetTooLong() {
        List<Value> items = new ArrayList<>();
        List<String> origins = new ArrayList<>();
        for (int i = 0; i < 9_000; i++) {
            items.add(MapValue.EMPTY);
            origins.add("x".repeat(1_000));
        }

        List<ProducerRecord<byte[], byte[]>> records = records(items, origins);

        assertThat(records).hasSize(3);
        assertThat(records)
                .allSatisfy(each -> assertThat(header(each, "origins")).hasSizeLessThan(4 << 20));
    }

    @Test
    void shouldSendNoUnknownOrigins() {
        ProducerRecord<byte[], byte[]> record = records(List.of(), List.of()).get(0);

        assertThat(new String(record.value(), StandardCharsets.UTF_8)).isEqualTo("[]");
        assertThat(header(record, "origins")).isNull();
        assertThatThrownBy(() -> records(List.of(MapValue.EMPTY), List.of("a", "b")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAnIdWithWhichNoOutcomeWouldCome() {
        for (String id : List.of("", "x".repeat(257))) {
            assertThatThrownBy(() -> NewChange.workspaceDelete("site-a", id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the id of a change has to have 1 to 256 characters");
        }
        assertThat(NewChange.workspaceDelete("site-a", "x".repeat(256)).bytes()).isZero();
    }

    @Test
    void shouldReadDocumentsOfATextWithTheirLines() throws Exception {
        String yaml = """
                schema: example/Server/v1
                metadata: {name: a, layeringDefinition: {layer: site}}
                ---
                schema: example/Server/v1
                metadata: {name: b, layeringDefinition: {layer: site}}
                """;
        List<Document> documents = NewChange.read(yaml.getBytes(StandardCharsets.UTF_8), "site.yaml");
        assertThat(documents).extracting(each -> each.id().name()).containsExactly("a", "b");
        assertThat(NewChange.bucketPut("site-a", "id", "default", documents)
                        .records("changes")
                        .get(0))
                .extracting(each -> header(each, "origins"))
                .isEqualTo("[\"site.yaml:1\",\"site.yaml:4\"]");

        String wrong = yaml + "colour: red\n";
        assertThatThrownBy(() -> NewChange.read(wrong.getBytes(StandardCharsets.UTF_8), "site.yaml"))
                .isInstanceOf(DocumentFormatException.class)
                .hasMessageContainingAll("site.yaml:6", "colour");
        assertThatThrownBy(() -> NewChange.read("{a: ".getBytes(StandardCharsets.UTF_8), "site.yaml"))
                .isInstanceOf(UnreadableTextException.class)
                .hasMessageContaining("site.yaml:1:5");
    }
}
