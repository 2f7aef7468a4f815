package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import org.junit.jupiter.api.Test;

/** What is known of derived documents whose data is the same object as before. */
class MadeRecordsTest {

    private static final DocumentKey KEY = new DocumentKey("x/Y/v1", "n");
    private static final Output OUTPUT = new Output(new Fingerprint(1, 2), Digest.ZERO);

    private final MadeRecords made = new MadeRecords();
    private final Value data = MapValue.of("a", new Text("b"));

    @Test
    void shouldKnowADocumentOfTheSameData() {
        made.put(KEY, document(data, "site"), OUTPUT);

        assertThat(made.get(KEY, document(data, "site"))).isEqualTo(OUTPUT);
    }

    @Test
    void shouldNotKnowADocumentOfEqualDataAsItsKeysMayBeInAnotherOrder() {
        made.put(KEY, document(data, "site"), OUTPUT);

        assertThat(made.get(KEY, document(MapValue.of("a", new Text("b")), "site")))
                .isNull();
    }

    @Test
    void shouldNotKnowADocumentOfAnotherNameOrLayer() {
        made.put(KEY, document(data, "site"), OUTPUT);

        assertThat(made.get(new DocumentKey("x/Y/v1", "m"), document(data, "site")))
                .isNull();
        assertThat(made.get(KEY, document(data, "global"))).isNull();
    }

    private static MapValue document(Value data, String layer) {
        return MapValue.builder()
                .put("metadata", MapValue.of("layer", new Text(layer)))
                .put("data", data)
                .build();
    }
}
