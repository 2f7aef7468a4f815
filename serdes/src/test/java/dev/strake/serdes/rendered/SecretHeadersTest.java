package dev.strake.serdes.rendered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.serdes.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers that describe the secrets of a record, and how inconsistent headers are read. */
class SecretHeadersTest {

    private static Headers headers(String secret, String paths, String data) {
        Headers headers = new RecordHeaders();
        add(headers, HeaderNames.SECRET, secret);
        add(headers, HeaderNames.SECRET_PATHS, paths);
        add(headers, HeaderNames.SECRET_DATA, data);
        return headers;
    }

    private static void add(Headers headers, String name, String value) {
        if (value != null) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static MapValue document(String data) {
        return (MapValue) JsonReader.read("{\"data\":%s}".formatted(data));
    }

    @Test
    void shouldNameEachPlaceByItsPointer() {
        Place odd = Place.ROOT.at("a/b").at("~x").at(0);
        SecretHeaders secrets = SecretHeaders.of(
                new SecretPlaces(List.of(odd, Place.ROOT.at("é\"").at(""))), "redacted");
        Headers written = new RecordHeaders();

        secrets.write(written);

        assertThat(written).hasSize(3);
        assertThat(new String(written.lastHeader("secret-paths").value(), StandardCharsets.UTF_8))
                .isEqualTo("[\"/a~1b/~0x/0\",\"/é\\\"/\"]");
        assertThat(SecretHeaders.read(written)).isEqualTo(secrets);
        assertThat(SecretHeaders.read(written).in(document("{\"a/b\":{\"~x\":[1]},\"é\\\"\":{\"\":2}}")))
                .isEqualTo(new SecretPlaces(List.of(odd, Place.ROOT.at("é\"").at(""))));
    }

    @Test
    void shouldWriteNothingForARecordWithoutSecrets() {
        Headers written = new RecordHeaders();

        SecretHeaders.of(SecretPlaces.NONE, null).write(written);

        assertThat(written).isEmpty();
        assertThat(SecretHeaders.read(written)).isEqualTo(SecretHeaders.NONE);
        assertThat(SecretHeaders.NONE.areThere()).isFalse();
    }

    @Test
    void shouldMarkAllDataSecretWithoutPlaces() {
        SecretHeaders secrets = SecretHeaders.read(headers("true", null, "redacted"));

        assertThat(secrets.paths()).containsExactly("");
        assertThat(secrets.in(document("{\"a\":1}"))).isEqualTo(SecretPlaces.ALL);
    }

    /* If a header is missing, a mask must not be read as clear text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "-;[\"/a\"];redacted",
                "-;-;encrypted",
                "-;[\"/a\"];-",
                "false;[\"/a\"];-",
                "TRUE;-;-",
                "true;[];-",
                "true;{};-",
                "true;\"/a\";-",
                "true;[\"/a\",1];-",
                "true;[\"/a\";-",
                "true;'';-"
            })
    void shouldNotReadBrokenHeaders(String secret, String paths, String data) {
        assertThatIllegalArgumentException().isThrownBy(() -> SecretHeaders.read(headers(secret, paths, data)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "/b",
                "/a/0",
                "/list/2",
                "/list/-1",
                "/list/01",
                "/list/+1",
                "/list/x",
                "/list/99999999999",
                "/"
            })
    void shouldRejectPointersToMissingPlaces(String pointer) {
        SecretHeaders secrets = new SecretHeaders(List.of(pointer), null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> secrets.in(document("{\"a\":1,\"list\":[1,2]}")))
                .withMessageNotContaining("list");
    }

    @Test
    void shouldRejectADocumentWithoutData() {
        SecretHeaders secrets = new SecretHeaders(List.of(""), null);

        assertThatIllegalArgumentException().isThrownBy(() -> secrets.in(MapValue.EMPTY));
    }
}
