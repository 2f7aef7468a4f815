package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.SortedMap;
import java.util.TreeMap;

/** A consumer's copy, built from updates: the names and data of its documents. */
final class Copy {

    private final SortedMap<String, String> held = new TreeMap<>();

    void take(RenderedUpdate update) {
        if (update.kind() != Kind.REVISION) {
            assertThat(update.removed()).isEmpty();
            held.clear();
        }
        update.put().forEach((key, record) -> {
            MapValue data = (MapValue) record.document().orElseThrow().get("data");
            held.put(key.name(), ((Text) data.get("value")).value());
        });
        update.removed().forEach(key -> held.remove(key.name()));
    }

    SortedMap<String, String> held() {
        return held;
    }
}
