package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which values stay or become secret when values are copied with a change. */
class SecretValuesTest {

    private static final Text CLEAR = new Text("c");
    private static final Text SECRET = new Text("s").secret();
    private static final MapValue WHOLE = Json.map("{'a':1,'b':{'c':2}}").secret();
    private static final ListValue LIST = (ListValue) Json.value("[1,[2]]").secret();

    private static String places(Value value) {
        return Json.text(SecretPlaces.of(value).pointers()).replace('"', '\'');
    }

    private static MapValue merged(MapValue under, MapValue over) {
        return under.mergedWith(over, effort -> {});
    }

    @ParameterizedTest
    @ValueSource(strings = {"'t'", "1.50", "true", "false", "null", "{}", "[]", "{'a':[1,{'b':null}]}"})
    void shouldMarkAValueDownToItsLeavesAndKeepItEqual(String json) {
        Value clear = Json.value(json);
        Value secret = clear.secret();

        assertThat(clear.isSecret()).isFalse();
        assertThat(clear.hasSecrets()).isFalse();
        forEach(secret, each -> assertThat(each.isSecret() && each.hasSecrets()).isTrue());
        assertThat(secret.secret()).isSameAs(secret);
        assertThat(secret).isEqualTo(clear).hasSameHashCodeAs(clear);
        assertThat(secret.fingerprint()).isEqualTo(clear.fingerprint());
        assertThat(secret.weight()).isEqualTo(clear.weight());
        assertThat(JsonBytes.of(secret)).isEqualTo(JsonBytes.of(clear));
        assertThat(clear.secretIf(false)).isSameAs(clear);
    }

    private static void forEach(Value value, Consumer<Value> action) {
        action.accept(value);
        if (value instanceof MapValue map) {
            map.forEach((key, child) -> forEach(child, action));
        } else if (value instanceof ListValue list) {
            list.items().forEach(item -> forEach(item, action));
        }
    }

    @Test
    void shouldKeepAMapSecretWhileAllValuesAreSecret() {
        assertThat(places(WHOLE.with("a", SECRET))).isEqualTo("['']");
        assertThat(places(WHOLE.with("d", SECRET))).isEqualTo("['']");
        assertThat(places(WHOLE.without("a"))).isEqualTo("['']");
        assertThat(places(WHOLE.withEach((key, value) -> key.equals("a") ? null : SECRET)))
                .isEqualTo("['']");
        assertThat(places(WHOLE.updatedWith(MapValue.of("a", SECRET)))).isEqualTo("['']");
        assertThat(places(merged(WHOLE, WHOLE))).isEqualTo("['']");
    }

    @Test
    void shouldShowNoMoreOfASecretMapThanBefore() {
        assertThat(places(WHOLE.with("a", CLEAR))).isEqualTo("['/b']");
        assertThat(places(WHOLE.with("d", CLEAR))).isEqualTo("['/a','/b']");
        assertThat(places(WHOLE.with("a", CLEAR).with("b", CLEAR))).isEqualTo("[]");
        assertThat(places(WHOLE.withEach((key, value) -> key.equals("a") ? null : CLEAR)))
                .isEqualTo("[]");
        assertThat(places(WHOLE.updatedWith(Json.map("{'b':1,'d':2}")))).isEqualTo("['/a']");
        assertThat(places(merged(WHOLE, Json.map("{'b':{'d':1}}")))).isEqualTo("['/a','/b/c']");
        assertThat(places(merged(WHOLE, Json.map("{'d':1}")))).isEqualTo("['/a','/b']");
        assertThat(MapValue.EMPTY.secret().with("a", CLEAR).hasSecrets()).isFalse();
    }

    @Test
    void shouldHaveASecretPlaceWhereASecretIsPut() {
        MapValue clear = Json.map("{'a':1,'b':{'c':2}}");

        assertThat(places(clear.with("a", SECRET))).isEqualTo("['/a']");
        assertThat(places(clear.with("d", SECRET))).isEqualTo("['/d']");
        assertThat(clear.with("a", SECRET).with("a", CLEAR).hasSecrets()).isFalse();
        assertThat(clear.with("d", SECRET).without("d").hasSecrets()).isFalse();
        assertThat(places(clear.updatedWith(MapValue.of("b", SECRET)))).isEqualTo("['/b']");
        assertThat(places(merged(clear, Json.map("{'b':{'c':2}}").secret())))
                .as("an equal value wins, too")
                .isEqualTo("['/b/c']");
        assertThat(MapValue.builder().put("a", SECRET).put("a", CLEAR).build().hasSecrets())
                .isFalse();
    }

    @Test
    void shouldKeepKeysHiddenAfterWrites() {
        MapValue closed = Json.map("{'a':1}").closed();
        MapValue clear = Json.map("{'b':2}");

        assertThat(closed.isSecret()).isTrue();
        assertThat(closed.secret()).isSameAs(closed);
        assertThat(List.of(
                        closed.with("b", CLEAR),
                        closed.with("a", CLEAR),
                        closed.without("a"),
                        closed.withEach((key, value) -> CLEAR),
                        closed.updatedWith(clear),
                        clear.updatedWith(closed),
                        merged(closed, clear),
                        merged(clear, closed)))
                .allMatch(MapValue::isClosed);
        assertThat(WHOLE.isClosed()).isFalse();
    }

    @Test
    void shouldKeepAListSecretWhileAllItemsAreSecret() {
        assertThat(places(LIST.with(0, SECRET))).isEqualTo("['']");
        assertThat(places(LIST.withInserted(2, SECRET))).isEqualTo("['']");
        assertThat(places(LIST.without(0))).isEqualTo("['']");
        assertThat(places(LIST.withEach((i, item) -> i == 0 ? null : SECRET))).isEqualTo("['']");
        assertThat(LIST.paddedTo(2)).isSameAs(LIST);
    }

    @Test
    void shouldShowNoMoreOfASecretListThanBefore() {
        assertThat(places(LIST.with(0, CLEAR))).isEqualTo("['/1']");
        assertThat(places(LIST.withInserted(0, CLEAR))).isEqualTo("['/1','/2']");
        assertThat(places(LIST.paddedTo(3))).isEqualTo("['/0','/1']");
        assertThat(places(LIST.withEach((i, item) -> i == 0 ? null : CLEAR))).isEqualTo("[]");
        assertThat(ListValue.EMPTY.secret().withInserted(0, CLEAR).hasSecrets()).isFalse();
    }

    @Test
    void shouldHaveASecretItemWhereASecretIsPut() {
        ListValue clear = (ListValue) Json.value("[1,2]");

        assertThat(places(clear.with(1, SECRET))).isEqualTo("['/1']");
        assertThat(places(clear.withInserted(0, SECRET))).isEqualTo("['/0']");
        assertThat(clear.with(1, SECRET).with(1, CLEAR).hasSecrets()).isFalse();
        assertThat(clear.with(1, SECRET).without(1).hasSecrets()).isFalse();
        assertThat(places(ListValue.of(List.of(CLEAR, SECRET)))).isEqualTo("['/1']");
    }

    @Test
    void shouldIncludeSecretMarksInFingerprintsAsWritten() {
        MapValue clear = Json.map("{'a':1,'b':{'c':2}}");
        MapValue b = clear.map("b");
        List<Value> all = List.of(
                clear,
                clear.secret(),
                clear.closed(),
                clear.with("a", Num.of(1).secret()),
                clear.with("b", b.secret()),
                clear.with("b", b.closed()),
                clear.with("b", b.with("c", Num.of(2).secret())),
                clear.with("b", b.closed()).secret(),
                MapValue.EMPTY.closed().with("a", Num.of(1)).with("b", b));

        assertThat(all).allMatch(clear::equals);
        assertThat(all.stream().map(Fingerprint::asWritten).distinct()).hasSameSizeAs(all);
        assertThat(all.stream().map(Value::fingerprint).distinct()).hasSize(1);
        assertThat(Fingerprint.asWritten(clear)).isEqualTo(clear.fingerprint());
    }
}
