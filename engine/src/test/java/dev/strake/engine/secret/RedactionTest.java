package dev.strake.engine.secret;

import static dev.strake.engine.Json.map;
import static dev.strake.engine.Json.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Redaction redaction = Redaction.of(KeyedHash.withKey(KEY), "site-a");

    @Test
    void shouldKeepKeysAndLengthsAndShowNoLeaf() {
        Value shown = redaction.data(secret("{'user':'admin','ports':[22,443],'a':{'b':{'c':null}}}"));

        assertThat(((MapValue) shown).keys()).containsExactly("user", "ports", "a");
        assertThat(((MapValue) shown).get("ports"))
                .isInstanceOfSatisfying(
                        ListValue.class, ports -> assertThat(ports.size()).isEqualTo(2));
        assertThat(((Text) Place.ROOT.at("a").at("b").at("c").in(shown)).value())
                .matches("\\*{6} [0-9a-f]{16}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "'x'", "{}", "[]", "null", "true", "false", "0", "1.50", "-12345678901234567890"})
    void shouldRevealNeitherKindNorLength(String leaf) {
        Text mask = (Text) redaction.data(secret(leaf));
        assertThat(mask.value()).matches("\\*{6} [0-9a-f]{16}");
        assertThat(mask.weight()).isEqualTo(new Text(mask.value()).weight());
    }

    @Test
    void shouldMaskOnlyEqualValuesOfAWorkspaceAlike() {
        Set<Value> shown = new HashSet<>();
        for (String leaf :
                new String[] {"''", "'1'", "1", "1.0", "true", "'true'", "null", "'null'", "{}", "[]", "'a'"}) {
            assertThat(redaction.data(secret(leaf))).isEqualTo(redaction.data(secret(leaf)));
            shown.add(redaction.data(secret(leaf)));
        }
        assertThat(shown).hasSize(11);
    }

    @Test
    void shouldShowAnotherHashInEachWorkspaceAndWithEachKey() {
        Value value = secret("'secret'");
        assertThat(Redaction.of(KeyedHash.withKey(KEY), "site-b").data(value)).isNotEqualTo(redaction.data(value));
        assertThat(Redaction.of(KeyedHash.withRandomKey(), "site-a").data(value))
                .isNotEqualTo(Redaction.of(KeyedHash.withRandomKey(), "site-a").data(value));
    }

    /**
     * Installations keep their keys over releases, so masks must not change. The expected hashes were computed with
     * OpenSSL from the first 16 bytes of the SHA-256 of the text as JSON.
     */
    @ParameterizedTest
    @CsvSource({"6, 8b1485ac320df07c", "14, b058578c0aaa070a", "1000, f19608a1ae2fd24b"})
    void shouldHashAsRecorded(int length, String expected) {
        KeyedHash hash = KeyedHash.withKey(KEY);
        Text text = new Text(length == 6 ? "secret" : "x".repeat(length));
        assertThat(hash.of("site-a", text)).isEqualTo(expected);
        assertThat(hash.of("site-b", text)).isNotEqualTo(expected);
        assertThat(hash.of("site-a", text)).isEqualTo(expected);
    }

    @Test
    void shouldHashMapsIndependentOfKeyOrder() {
        KeyedHash hash = KeyedHash.withKey(KEY);
        assertThat(hash.of("site-a", value("{'a':1,'b':2}"))).isEqualTo(hash.of("site-a", value("{'b':2,'a':1}")));
        String more = "'c':'" + "x".repeat(100) + "'";
        assertThat(hash.of("site-a", value("{'a':1," + more + "}")))
                .isEqualTo(hash.of("site-a", value("{" + more + ",'a':1}")));
    }

    @Test
    void shouldMaskEachOfManyLeavesAsItWouldAlone() {
        List<Value> leaves = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            leaves.add(i % 3 == 0 ? Num.of(i) : new Text("x".repeat(i % 90) + i));
        }

        ListValue shown = (ListValue) redaction.data(ListValue.of(leaves).secret());

        for (int i = 0; i < leaves.size(); i++) {
            assertThat(shown.get(i)).isEqualTo(redaction.data(leaves.get(i).secret()));
        }
        assertThat(IntStream.range(0, shown.size()).mapToObj(shown::get).distinct())
                .hasSameSizeAs(leaves.stream().distinct().toList());
    }

    @Test
    void shouldHashTheSameForSeveralThreads() {
        KeyedHash hash = KeyedHash.withKey(KEY);
        List<String> hashes = IntStream.range(0, 20_000)
                .parallel()
                .mapToObj(i -> hash.of(i % 3 == 0 ? "site-b" : "site-a", new Text(Integer.toString(i % 100))))
                .toList();
        KeyedHash alone = KeyedHash.withKey(KEY);
        for (int i = 0; i < hashes.size(); i++) {
            assertThat(hashes.get(i))
                    .isEqualTo(alone.of(i % 3 == 0 ? "site-b" : "site-a", new Text(Integer.toString(i % 100))));
        }
    }

    @Test
    void shouldNotHashWithoutTheKey() throws Exception {
        String hash = KeyedHash.withKey(KEY).of("site-a", new Text("secret"));
        byte[] plain = MessageDigest.getInstance("SHA-256").digest("secret".getBytes(StandardCharsets.UTF_8));
        assertThat(HexFormat.of().formatHex(plain)).doesNotContain(hash);
    }

    @Test
    void shouldRedactTheDataOfADocumentAlone() {
        MapValue document = map("{'schema':'a/B/v1','metadata':{'name':'b','storagePolicy':'encrypted'},'data':'x'}");

        assertThat(redaction.published(document).without("data")).isEqualTo(document.without("data"));
        assertThat(redaction.published(document).get("data")).isEqualTo(redaction.data(new Text("x").secret()));
        assertThat(redaction.published(document.without("data"))).isEqualTo(document.without("data"));
    }

    @Test
    void shouldShowRenderedSecretsAsEncryptedLikeDeckhand() {
        MapValue document =
                map("{'schema':'a/B/v1','metadata':{'name':'b','storagePolicy':'cleartext'},'data':{'x':1,'y':2}}");
        MapValue data = (MapValue) document.get("data");
        MapValue shown = redaction.rendered(
                document.with("data", data.with("x", data.get("x").secret())));

        assertThat(shown.get("metadata")).isEqualTo(map("{'name':'b','storagePolicy':'encrypted'}"));
        assertThat(shown.get("data")).isEqualTo(data.with("x", redaction.data(secret("1"))));
    }

    @Test
    void shouldLeaveOtherDocumentsAsTheyAre() {
        MapValue document = map("{'schema':'a/B/v1','metadata':{'name':'b'},'data':{'x':1}}");

        MapValue secret = document.with("data", document.get("data").secret());

        assertThat(redaction.rendered(document)).isSameAs(document);
        assertThat(Redaction.CLEARTEXT.published(secret)).isEqualTo(secret);
        assertThat(redaction.data(null)).isNull();
    }

    @Test
    void shouldFindMasksInDataThatWasReadRedacted() {
        MapValue clear = map("{'a':{'b':[1,'******','****** 6f1c','x ****** 6f1c22ab90d1e0f3']}}");

        assertThat(Redaction.maskIn(clear)).isNull();
        assertThat(Redaction.maskIn(redaction.data(clear.secret()))).hasToString(".a.b[0]");
        assertThat(Redaction.maskIn(clear.with("c", redaction.data(clear.secret()))))
                .hasToString(".c.a.b[0]");
        assertThat(Redaction.maskIn(redaction.data(new Text("x").secret()))).isEqualTo(Place.ROOT);
    }

    @Test
    void shouldMaskSecretLeavesAndNoOthers() {
        MapValue clear = map("{'host':'h','env':[{'name':'n'}],'tls':{'key':'k'}}");
        MapValue data = clear.with("env", ListValue.of(map("{'name':'n'}").with("value", secret("'v'"))))
                .with("tls", clear.get("tls").secret());

        MapValue shown = (MapValue) redaction.data(data);

        assertThat(Redaction.STRUCTURE.data(data))
                .isEqualTo(map("{'host':'h','env':[{'name':'n','value':'******'}],'tls':{'key':'******'}}"));
        assertThat(Place.ROOT.at("tls").at("key").in(shown)).isEqualTo(redaction.data(secret("'k'")));
        assertThat(SecretPlaces.of(shown)).as("what masks hide is still known").isEqualTo(SecretPlaces.of(data));
        assertThat(redaction.data(clear)).isSameAs(clear);
    }

    @Test
    void shouldHideAValueOnBothSidesIfOneIsSecret() {
        MapValue clear = map("{'l':['x','y'],'env':[{'name':'n','value':'v'}]}");
        Value env = ListValue.of(
                map("{'name':'m','value':'w'}"), map("{'name':'n'}").with("value", secret("'v'")));
        MapValue grown = MapValue.of("l", secret("['x','z','y']")).with("env", env);

        assertThat(redaction.changes(redaction.data(clear), redaction.data(grown)))
                .containsExactly(
                        new PlaceChange(Place.ROOT.at("l").at(1), null, redaction.data(secret("'z'"))),
                        new PlaceChange(Place.ROOT.at("env").at(0).at("name"), new Text("n"), new Text("m")),
                        new PlaceChange(Place.ROOT.at("env").at(0).at("value"), new Text("v"), new Text("w")),
                        new PlaceChange(Place.ROOT.at("env").at(1), null, redaction.data(((ListValue) env).get(1))));
    }

    @Test
    void shouldShowWhereOnlyTheSecrecyOfAValueChanged() {
        MapValue secret = MapValue.of("a", secret("'v'"));
        Value mask = redaction.data(secret("'v'"));

        assertThat(redaction.changes(redaction.data(map("{'a':'v'}")), redaction.data(secret)))
                .containsExactly(new PlaceChange(Place.ROOT.at("a"), mask, mask));
        assertThat(Redaction.CLEARTEXT.changes(map("{'a':'v'}"), secret)).isEmpty();
    }

    @Test
    void shouldMarkSecretsInClearText() {
        MapValue encrypted = map("{'metadata':{'storagePolicy':'encrypted'},'data':{'a':'v'}}");

        assertThat(Redaction.CLEARTEXT.published(encrypted)).isEqualTo(encrypted);
        assertThat(Redaction.CLEARTEXT.published(encrypted).get("data").isSecret())
                .isTrue();
        assertThat(Redaction.CLEARTEXT.data(map("{'a':1}")).hasSecrets()).isFalse();
    }

    @Test
    void shouldMaskAMapWhoseKeysAreSecretAsOneValue() {
        MapValue closed = map("{'hunter2':1}").closed();

        assertThat(redaction.data(MapValue.of("a", closed)))
                .isEqualTo(MapValue.of("a", redaction.data(closed)))
                .isNotEqualTo(MapValue.of("a", redaction.data(closed.with("hunter2", secret("2")))));
        assertThat(((Text) redaction.data(closed)).value()).matches("\\*{6} [0-9a-f]{16}");
        assertThat(Redaction.STRUCTURE.data(closed.with("clear", value("1")))).isEqualTo(value("'******'"));
    }

    @Test
    void shouldMaskAllLeavesAlikeWhereOnlyStructureIsCompared() {
        assertThat(Redaction.STRUCTURE.data(secret("{'a':1,'b':['x',{}]}")))
                .isEqualTo(value("{'a':'******','b':['******','******']}"));
    }

    @Test
    void shouldMaskEachPlaceAsAWholeWhenKeysAreHidden() {
        Value partly = MapValue.of("a", value("{'b':1,'c':[2]}").secret()).with("d", value("[1]"));

        assertThat(Redaction.PLACES.data(partly)).isEqualTo(value("{'a':'******','d':[1]}"));
        assertThat(Redaction.PLACES.data(partly.secret())).isEqualTo(value("'******'"));
    }

    private static Value secret(String json) {
        return value(json).secret();
    }
}
