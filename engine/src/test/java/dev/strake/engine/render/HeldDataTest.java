package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.HeapSize;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.IdentityHashMap;
import org.junit.jupiter.api.Test;

/** What a change holds is counted by what documents are, not by which objects a cache happened to keep. */
class HeldDataTest {

    private static final int LARGE = 100_000;

    private final HeldData held = new HeldData();

    private static Value large(String letter) {
        return Json.map("{'text':'" + letter.repeat(LARGE) + "'}");
    }

    private void hold(Value borrowed) {
        IdentityHashMap<Value, Fingerprint> all = new IdentityHashMap<>();
        all.put(borrowed, Fingerprint.asWritten(borrowed));
        held.hold(MapValue.of("taken", borrowed), MapValue.EMPTY, all);
    }

    @Test
    void shouldCountAValueOnceThatSeveralDocumentsTookFromTheSameSource() {
        Value source = large("x");
        hold(source);
        hold(source);

        assertThat(held.held()).isBetween(HeapSize.of(source), HeapSize.of(source) + 1_000);
    }

    @Test
    void shouldCountItOnceToo_WhenACacheForgotTheSourceInBetween() {
        hold(large("x"));
        hold(large("x"));

        assertThat(held.held()).isBetween(HeapSize.of(large("x")), HeapSize.of(large("x")) + 1_000);
    }

    @Test
    void shouldCountDifferentValuesOfEqualSize() {
        hold(large("x"));
        hold(large("y"));

        assertThat(held.held()).isGreaterThan(2 * LARGE);
    }

    @Test
    void shouldNotCountWhatIsTheBases() {
        Value same = large("x");
        held.hold(MapValue.of("mine", same), MapValue.of("mine", same), new IdentityHashMap<>());

        assertThat(held.held()).isLessThan(1_000);
    }
}
