package dev.strake.serdes.rendered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.serdes.TimeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RenderedRecordTest {

    private static final RenderedKey KEY = new RenderedKey("ws", new DocumentKey("a/B/v1", "x"));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "ws|a/B/v1|x;ws;a/B/v1;x",
                "ws|a/B/v1|x|y|;ws;a/B/v1;x|y|",
                "ws|a/B/v1|;ws;a/B/v1;''",
                "ws|a/B/v1|é\u00a0;ws;a/B/v1;é\u00a0"
            })
    void shouldWriteAndParseKeys(String text, String workspace, String schema, String name) {
        RenderedKey key = new RenderedKey(workspace, new DocumentKey(schema, name));

        assertThat(key.text()).isEqualTo(text);
        assertThat(RenderedKey.of(key.bytes())).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "ws|a/B/v1|site|x;ws;a/B/v1;site;x",
                "ws|a/B/v1||x;ws;a/B/v1;'';x",
                "ws|a/B/v1|a%7Cb%25|x|y;ws;a/B/v1;a|b%;x|y",
                "ws|a/B/v1|%257C|x;ws;a/B/v1;%7C;x"
            })
    void shouldWriteAndParseKeysOfProblems(String text, String workspace, String schema, String layer, String name) {
        ProblemKey key = new ProblemKey(workspace, new DocumentId(schema, layer, name));

        assertThat(key.text()).isEqualTo(text);
        assertThat(ProblemKey.of(key.bytes())).isEqualTo(key);
    }

    @Test
    void shouldKeyAProblemOfTheWholeWorkspace() {
        assertThat(new ProblemKey("ws", null).text()).isEqualTo("ws|||");
        assertThat(ProblemKey.of("ws|||")).isEqualTo(new ProblemKey("ws", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ws", "ws|a"})
    void shouldNotParseOtherKeys(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RenderedKey.of(text));
        assertThatIllegalArgumentException().isThrownBy(() -> ProblemKey.of(text + "|"));
    }

    @Test
    void shouldWriteTheHeadersOfTheContract() {
        RenderedHeaders headers = new RenderedHeaders(
                12,
                "site",
                "global",
                null,
                new RenderedHeaders.Cause("id-1", null, TimeText.of(0), null, null),
                SecretHeaders.NONE);

        assertThat(lines(headers.write(KEY, "00ff")))
                .containsExactly(
                        "ce_specversion=1.0",
                        "ce_id=ws|a/B/v1|x@12",
                        "ce_source=strake/ws",
                        "ce_type=dev.strake.document.rendered",
                        "ce_subject=a/B/v1/x",
                        "ce_time=1970-01-01T00:00:00Z",
                        "revision=12",
                        "content-type=application/json",
                        "content-hash=00ff",
                        "layer=site",
                        "bucket=global",
                        "change-id=id-1");
    }

    @Test
    void shouldReadATombstoneAsARemovedDocument() {
        RenderedHeaders headers = new RenderedHeaders(
                13,
                "",
                "global",
                null,
                new RenderedHeaders.Cause("id-1", "git", "t", "00-1", null),
                SecretHeaders.NONE);

        assertThat(lines(headers.write(KEY, null)))
                .contains(
                        "ce_type=dev.strake.document.removed",
                        "ce_source=git",
                        "ce_time=t",
                        "traceparent=00-1",
                        "layer=")
                .noneMatch(line -> line.startsWith("content-"));
    }

    @Test
    void shouldReadRecordsOfConsumers() {
        RenderedHeaders headers = new RenderedHeaders(
                12,
                "site",
                "global",
                null,
                new RenderedHeaders.Cause("id-1", "git", "t", "00-1", null),
                new SecretHeaders(List.of(""), null));
        byte[] value = "{\"data\":1.0}".getBytes(StandardCharsets.UTF_8);

        RenderedRecord rendered =
                RenderedRecord.read(KEY.bytes(), value, headers.write(KEY, RenderedHeaders.contentHash(value)));
        RenderedRecord tombstone = RenderedRecord.read(KEY.bytes(), null, headers.write(KEY, null));

        assertThat(rendered.key()).isEqualTo(KEY);
        assertThat(rendered.document()).contains(MapValue.of("data", Num.ofLiteral("1.0")));
        assertThat(rendered.headers()).isEqualTo(headers);
        assertThat(rendered.headers().secret()).isTrue();
        assertThat(tombstone.document()).isEmpty();
    }

    private static RenderedRecord read(String data, SecretHeaders secrets) {
        RenderedHeaders headers = new RenderedHeaders(
                12, "site", "global", null, new RenderedHeaders.Cause("id-1", "git", "t", null, null), secrets);
        byte[] value = "{\"schema\":\"a/B/v1\",\"data\":%s}".formatted(data).getBytes(StandardCharsets.UTF_8);
        return RenderedRecord.read(KEY.bytes(), value, headers.write(KEY, RenderedHeaders.contentHash(value)));
    }

    private static SecretPlaces secretPlaces(RenderedRecord record) {
        return SecretPlaces.of(record.document().orElseThrow().get("data"));
    }

    @Test
    void shouldFindSecretsInARecordInClearText() {
        RenderedRecord record =
                read("{\"a\":[1,{\"b\":2}],\"c\":\"s3cr3t\"}", new SecretHeaders(List.of("/a/1", "/c"), null));

        assertThat(secretPlaces(record))
                .isEqualTo(new SecretPlaces(List.of(Place.ROOT.at("a").at(1), Place.ROOT.at("c"))));
        assertThat(secretPlaces(read("{\"a\":1}", SecretHeaders.NONE))).isEqualTo(SecretPlaces.NONE);
        assertThat(secretPlaces(read("{\"a\":1}", new SecretHeaders(List.of("/a"), "redacted"))))
                .as("a mask is no secret")
                .isEqualTo(SecretPlaces.NONE);
        assertThat(record.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void shouldSealOnlyTheValuesOfSecretPlaces() {
        RenderedRecord hidden = read(
                "{\"a\":[\"mask\",{\"b\":2}],\"c\":\"mask\"}", new SecretHeaders(List.of("/a/0", "/c"), "redacted"));
        MapValue clear = (MapValue) JsonReader.read("{\"schema\":\"x\",\"data\":{\"a\":[7,8],\"c\":{\"d\":9}}}");

        RenderedRecord record = hidden.inClear(clear);

        assertThat(JsonBytes.text(record.document().orElseThrow()))
                .isEqualTo("{\"schema\":\"a/B/v1\",\"data\":{\"a\":[7,{\"b\":2}],\"c\":{\"d\":9}}}");
        assertThat(record.isRedacted()).isFalse();
        assertThat(record.headers().secrets()).isEqualTo(new SecretHeaders(List.of("/a/0", "/c"), null));
        assertThat(secretPlaces(record))
                .isEqualTo(new SecretPlaces(List.of(Place.ROOT.at("a").at(0), Place.ROOT.at("c"))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hidden.inClear(MapValue.of("data", MapValue.EMPTY)))
                .withMessage("the document has no value at data.a[0]");
    }

    @Test
    void shouldNotReadARecordWithMissingPlaces() {
        for (String data : new String[] {null, "redacted", "encrypted"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> read("{\"a\":1}", new SecretHeaders(List.of("/b"), data)));
        }
    }

    @Test
    void shouldNotReadOtherRecords() {
        Headers headers = new RenderedHeaders(
                        1, "", "b", null, new RenderedHeaders.Cause("i", "s", "t", null, null), SecretHeaders.NONE)
                .write(KEY, null);

        assertThatIllegalArgumentException().isThrownBy(() -> RenderedRecord.read(null, null, headers));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RenderedRecord.read(KEY.bytes(), null, new RecordHeaders()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RenderedRecord.read(KEY.bytes(), new byte[] {'1'}, headers));
    }

    private static List<String> lines(Headers headers) {
        List<String> lines = new ArrayList<>();
        headers.forEach(header -> lines.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8)));
        return lines;
    }
}
