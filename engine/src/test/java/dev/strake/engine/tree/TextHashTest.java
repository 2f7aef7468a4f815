package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Texts with equal hash codes in Java, which an attacker could publish to make lookups slow. */
class TextHashTest {

    private static final List<String> COLLIDING = Colliding.texts(14);

    @Test
    void shouldDifferForTextsWithEqualJavaHashCodes() {
        assertThat(distinct(COLLIDING, String::hashCode)).isEqualTo(1);
        assertThatTheySpread(TextHash::of);
    }

    @Test
    void shouldDifferForValuesThatContainCollidingTexts() {
        assertThatTheySpread(text -> new DocumentKey(text, "name").hashCode());
        assertThatTheySpread(text -> new DocumentKey("schema", text).hashCode());
        assertThatTheySpread(text -> new DocumentId("schema", text, "name").hashCode());
        assertThatTheySpread(text -> new DocumentId("schema", "layer", text).hashCode());
        assertThatTheySpread(text -> new Read.Data(new DocumentKey("schema", "name"), text).hashCode());
        assertThatTheySpread(text -> new Read.Selection(text, MapValue.EMPTY).hashCode());
        assertThatTheySpread(text -> Place.ROOT.at(text).at(3).hashCode());
        assertThatTheySpread(text -> new Text(text).hashCode());
        assertThatTheySpread(text -> MapValue.of(text, Null.NULL).hashCode());
        assertThatTheySpread(text -> MapValue.of("key", new Text(text)).hashCode());
        assertThatTheySpread(
                text -> ListValue.of(List.of(Bool.TRUE, new Text(text))).hashCode());
    }

    @Test
    void shouldDifferForAnotherOrderOfTexts() {
        Set<Integer> keys = new HashSet<>();
        Set<Integer> maps = new HashSet<>();
        List<String> some = COLLIDING.subList(0, 120);
        for (String one : some) {
            for (String other : some) {
                keys.add(new DocumentKey(one, other).hashCode());
                maps.add(MapValue.of("a", new Text(one))
                        .with("b", new Text(other))
                        .hashCode());
            }
        }
        assertThat(keys.size()).isGreaterThan(some.size() * some.size() - 20);
        assertThat(maps.size()).isGreaterThan(some.size() * some.size() - 20);
    }

    @Test
    void shouldDifferForTextsThatDifferInLengthAlone() {
        List<String> zeros = new ArrayList<>();
        for (int length = 0; length < 10_000; length++) {
            zeros.add("\0".repeat(length));
        }
        assertThat(distinct(zeros, TextHash::of)).isGreaterThan(zeros.size() - 20);
    }

    @Test
    void shouldBeEqualForEqualThings() {
        for (String text : COLLIDING.subList(0, 100)) {
            String same = new String(text.toCharArray());
            assertThat(TextHash.of(same)).isEqualTo(TextHash.of(text));
            assertThat(new DocumentId("s", "l", same)).hasSameHashCodeAs(new DocumentKey("s", text).in("l"));
            assertThat(MapValue.of("a", Null.NULL).with(same, Bool.TRUE))
                    .hasSameHashCodeAs(MapValue.of(text, Bool.TRUE).with("a", Null.NULL));
        }
    }

    /* A few random texts of so many collide: there are 2^28 pairs, and 2^32 hash codes. */
    private static void assertThatTheySpread(Function<String, Integer> hash) {
        assertThat(distinct(COLLIDING, hash)).isGreaterThan(COLLIDING.size() - 20);
    }

    private static int distinct(Collection<String> texts, Function<String, Integer> hash) {
        Set<Integer> all = new HashSet<>();
        texts.forEach(text -> all.add(hash.apply(text)));
        return all.size();
    }
}
