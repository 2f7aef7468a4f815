package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretPlacesTest {

    private static final Text SECRET = new Text("s").secret();

    private static List<String> pointers(Value tree) {
        return SecretPlaces.of(tree).pointers().items().stream()
                .map(each -> ((Text) each).value())
                .toList();
    }

    @Test
    void shouldNameTheTopmostSecretsInTheOrderOfTheTree() {
        MapValue tree = Json.map("{'host':'h','env':[{'name':'n'},{'name':'m'}]}")
                .with("tls", Json.value("{'key':'k','ports':[1]}").secret())
                .with("db", MapValue.of("password", SECRET).with("user", new Text("u")));
        ListValue env = (ListValue) tree.get("env");
        Value withValue = ((MapValue) env.get(1)).with("value", SECRET);

        assertThat(pointers(tree.with("env", env.with(1, withValue))))
                .containsExactly("/env/1/value", "/tls", "/db/password");
        assertThat(pointers(tree.secret())).containsExactly("");
        assertThat(SecretPlaces.of(Json.value("{'a':[1]}"))).isSameAs(SecretPlaces.NONE);
        assertThat(SecretPlaces.of(SECRET)).isEqualTo(SecretPlaces.ALL);
    }

    @Test
    void shouldFindItsPlacesAgainByPointerForAnyKeys() {
        MapValue tree = MapValue.of("a/b", MapValue.of("~1", SECRET))
                .with("", MapValue.of("~", ListValue.of(Null.NULL, SECRET)))
                .with("0", SECRET)
                .with("clear", new Text("c"));

        List<String> pointers = pointers(tree);
        assertThat(pointers).containsExactly("/a~1b/~01", "//~0/1", "/0");
        assertThat(SecretPlaces.at(pointers, tree)).isEqualTo(SecretPlaces.of(tree));
        assertThat(SecretPlaces.at(List.of(""), tree)).isEqualTo(SecretPlaces.ALL);
        assertThat(SecretPlaces.at(List.of(), tree)).isEqualTo(SecretPlaces.NONE);
    }

    @Test
    void shouldMarkATreeAtItsPlaces() {
        MapValue clear = Json.map("{'a':{'b':[1,{'c':2}]},'d':3}");

        Value marked = SecretPlaces.at(List.of("/a/b/1", "/d"), clear).markedIn(clear);

        assertThat(marked).isEqualTo(clear);
        assertThat(pointers(marked)).containsExactly("/a/b/1", "/d");
        assertThat(Place.ROOT.at("a").at("b").at(1).at("c").in(marked).isSecret())
                .isTrue();
        assertThat(SecretPlaces.NONE.markedIn(clear)).isSameAs(clear);
        assertThat(SecretPlaces.ALL.markedIn(clear).isSecret()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "/x", "/a/2", "/a/-1", "/a/-0", "/a/+1", "/a/01", "/a/", "/a/0/b", "/a/9999999999", "/b/c"})
    void shouldRejectPointersToMissingPlaces(String pointer) {
        Value tree = Json.value("{'a':[1,2],'b':'c'}");

        assertThatIllegalArgumentException().isThrownBy(() -> SecretPlaces.at(List.of(pointer), tree));
    }

    @Test
    void shouldIncludePointersInItsWeight() {
        MapValue tree = MapValue.of("a", SECRET);
        SecretPlaces places = SecretPlaces.of(tree);

        assertThat(places.weight()).isEqualTo("[\"/a\"]".length());
        assertThat(places.fitBeside(tree, tree.weight() + places.weight())).isTrue();
        assertThat(places.fitBeside(tree, tree.weight() + places.weight() - 1)).isFalse();
        assertThat(SecretPlaces.NONE.weight()).isZero();
    }
}
