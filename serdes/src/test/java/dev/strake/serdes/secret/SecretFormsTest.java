package dev.strake.serdes.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records with secrets in each form: which parts are hidden, which are not, and whether they decrypt. */
class SecretFormsTest {

    private static final String WS = "site-a";
    private static final DocumentKey KEY = new DocumentKey("example/Database/v1", "db");
    private static final SecretKeys KEYS = Keyset.create();
    private static final Text TOKEN = new Text("s3cr3t-t0ken").secret();
    private static final SealedData.Open OPEN = (ciphertext, place) -> KEYS.open(Purpose.OUTPUT, ciphertext, place);

    private static MapValue document(Value data) {
        return MapValue.builder()
                .put("schema", new Text(KEY.schema()))
                .put("metadata", JsonReader.read("{\"name\":\"db\",\"storagePolicy\":\"cleartext\"}"))
                .put("data", data)
                .build();
    }

    private static MapValue of(String... steps) {
        MapValue data = (MapValue) JsonReader.read(
                "{\"user\":\"admin\",\"a/b\":{\"~\":[1,[2,\"x\"]]},\"own\":{\"$sealed\":\"no ciphertext\"},\"\":{}}");
        Value marked = data;
        for (String pointer : steps) {
            marked = Place.at(pointer, data).replacedIn(marked, TOKEN);
        }
        return document(marked);
    }

    private static RecordForm.Formed formed(SecretsOutput output, MapValue document) {
        return SecretForms.of(output, KEYS, WS).of(KEY, document);
    }

    private static MapValue opened(MapValue document, SecretPlaces places, String workspace, DocumentKey name) {
        return SealedData.openRendered(document, places, workspace, name, OPEN);
    }

    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldHideSecretPlacesAndNothingElse(SecretsOutput output) {
        for (List<String> pointers : List.of(
                List.of("/user"),
                List.of("/a~1b/~0/1/1"),
                List.of("/user", "/a~1b/~0/0", "/a~1b/~0/1", "/"),
                List.of(""))) {
            MapValue document = of(pointers.toArray(String[]::new));
            RecordForm.Formed formed = formed(output, document);

            assertThat(formed.places().pointers().items()).containsExactlyElementsOf(texts(pointers));
            assertThat(JsonBytes.text(formed.document())).doesNotContain("s3cr3t-t0ken");
            Value put = formed.document().get("data");
            Value data = document.get("data");
            assertThat(formed.places().replacedIn(put, (place, hidden) -> place.in(data)))
                    .as("all else")
                    .isEqualTo(data);
            assertThat(formed.document().without("data")).isEqualTo(document.without("data"));
            assertThat(formed.weight())
                    .isEqualTo(JsonBytes.of(formed.document()).length
                            + (long) JsonBytes.of(formed.places().pointers()).length);
        }
    }

    private static List<Text> texts(List<String> pointers) {
        return pointers.stream().map(Text::new).toList();
    }

    @Test
    void shouldNameThePlacesOfARecordInClearText() {
        RecordForm.Formed formed = RecordForm.CLEAR.of(KEY, of("/user", "/a~1b"));

        assertThat(formed.document()).isEqualTo(of("/user", "/a~1b"));
        assertThat(formed.places().pointers().items()).containsExactly(new Text("/user"), new Text("/a~1b"));
        assertThat(RecordForm.CLEAR.of(KEY, of()).places()).isEqualTo(SecretPlaces.NONE);
    }

    @Test
    void shouldOpenEachPlaceAgain() {
        for (List<String> pointers :
                List.of(List.of("/user"), List.of("/user", "/a~1b/~0/0", "/a~1b/~0/1"), List.of(""))) {
            MapValue document = of(pointers.toArray(String[]::new));
            RecordForm.Formed formed = formed(SecretsOutput.ENCRYPTED, document);

            MapValue opened = opened(formed.document(), formed.places(), WS, KEY);

            assertThat(JsonBytes.text(opened)).isEqualTo(JsonBytes.text(document));
        }
    }

    @Test
    void shouldNotOpenDataThatOnlyLooksSealed() {
        MapValue document = of("/user");

        RecordForm.Formed formed = formed(SecretsOutput.ENCRYPTED, document);
        MapValue opened = opened(formed.document(), formed.places(), WS, KEY);

        assertThat(((MapValue) opened.get("data")).get("own"))
                .isEqualTo(JsonReader.read("{\"$sealed\":\"no ciphertext\"}"));
        MapValue inASecret = document(
                MapValue.of("a", JsonReader.read("{\"$sealed\":\"own\"}").secret()));
        RecordForm.Formed sealed = formed(SecretsOutput.ENCRYPTED, inASecret);
        assertThat(JsonBytes.text(sealed.document())).doesNotContain("own");
        assertThat(opened(sealed.document(), sealed.places(), WS, KEY)).isEqualTo(inASecret);
    }

    @Test
    void shouldNotOpenACiphertextAnywhereElse() {
        MapValue document = document(JsonReader.read("{\"a\":\"x\",\"b\":\"x\",\"list\":[\"x\",\"x\"]}")
                .secret());
        SecretPlaces each = SecretPlaces.at(List.of("/a", "/b", "/list/0", "/list/1"), document.get("data"));
        MapValue sealed = SealedData.forConsumers(
                document, each, WS, KEY, (clear, place) -> KEYS.seal(Purpose.OUTPUT, clear, place));
        Value data = sealed.get("data");

        assertThat(opened(sealed, each, WS, KEY)).isEqualTo(document);
        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> opened(sealed, each, "site-b", KEY));
        for (DocumentKey other :
                List.of(new DocumentKey(KEY.schema(), "other"), new DocumentKey("example/Other/v1", KEY.name()))) {
            assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> opened(sealed, each, WS, other));
        }
        for (Place from : each.places()) {
            for (Place to : each.places()) {
                if (!from.equals(to)) {
                    assertThat(from.in(data)).as("of equal values").isNotEqualTo(to.in(data));
                    MapValue moved = sealed.with("data", to.replacedIn(data, from.in(data)));
                    assertThatExceptionOfType(DoesNotOpenException.class)
                            .isThrownBy(() -> opened(moved, each, WS, KEY));
                }
            }
        }
        MapValue asAWhole = sealed.with("data", Place.ROOT.at("a").in(data));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> opened(asAWhole, SecretPlaces.ALL, WS, KEY));
        MapValue inClear = sealed.with("data", JsonReader.read("{\"a\":\"x\",\"b\":\"x\",\"list\":[\"x\",\"x\"]}"));
        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> opened(inClear, each, WS, KEY));
    }

    private static MapValue withMany(int count, String between) {
        List<Value> items = new ArrayList<>(Collections.nCopies(count, TOKEN));
        items.add(new Text(between));
        return document(MapValue.of("list", ListValue.of(items)));
    }

    /* A mask is short, but this many masks, or paths in a header, exceed the limit. */
    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldHideAllOfTheDataWhereThePlacesDoNotFit(SecretsOutput output) {
        String filler = "x".repeat(RenderLimits.RECORD_BYTES * 2 / 3);
        MapValue document = withMany(200_000, filler);
        if (output == SecretsOutput.ENCRYPTED) {
            document = withMany(200_000, "x".repeat(1000)); // a ciphertext is longer than its plaintext
        }

        RecordForm.Formed formed = formed(output, document);

        assertThat(formed.places()).isEqualTo(SecretPlaces.ALL);
        assertThat(formed.weight()).isLessThanOrEqualTo(RenderLimits.RECORD_BYTES);
        if (output == SecretsOutput.ENCRYPTED) {
            assertThat(opened(formed.document(), SecretPlaces.ALL, WS, KEY)).isEqualTo(document);
        } else {
            assertThat(formed.document().get("data")).isInstanceOf(Text.class);
        }
    }

    @Test
    void shouldMarkAllDataSecretIfPlacesDoNotMatch() {
        MapValue document = withMany(200_000, "x".repeat(RenderLimits.RECORD_BYTES * 3 / 4));

        RecordForm.Formed formed = RecordForm.CLEAR.of(KEY, document);

        assertThat(formed.document()).isEqualTo(document);
        assertThat(formed.places()).isEqualTo(SecretPlaces.ALL);
    }

    /* A record with the maximum number of paths must not take much longer than others of its size. */
    @Test
    void shouldHideAndOpenManyPlacesInOneList() {
        MapValue document = withMany(60_000, "");

        RecordForm.Formed formed = formed(SecretsOutput.ENCRYPTED, document);

        assertThat(formed.places().places()).hasSize(60_000);
        assertThat(opened(formed.document(), formed.places(), WS, KEY)).isEqualTo(document);
    }
}
