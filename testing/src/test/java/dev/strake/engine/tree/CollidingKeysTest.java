package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys with one hash code for all of them, as somebody might publish who wants lookups to be slow. */
class CollidingKeysTest {

    @Test
    void shouldFindEachOfManyKeysThatCollide() {
        List<String> keys = Colliding.texts(12);
        MapValue.Builder builder = MapValue.builder();
        for (int i = 0; i < keys.size(); i++) {
            builder.put(keys.get(i), Num.of(i));
        }
        MapValue map = builder.build();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(map.get(keys.get(i))).isEqualTo(Num.of(i));
        }
        assertThat(map.get("AaAa")).isNull();
    }
}
