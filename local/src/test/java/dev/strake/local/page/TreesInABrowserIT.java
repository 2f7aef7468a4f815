package dev.strake.local.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.JsonValues;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.page.PageRoutes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What people see and copy is what is there: Strake's own reader of YAML judges what the page writes. */
class TreesInABrowserIT {

    private static final long SEED = Long.getLong("strake.seed", 27);
    private static final int TREES = 600;

    /** What a reader of YAML may take for something else than it is. */
    private static final List<String> PIECES = List.of(
            "a",
            "yes",
            "No",
            "null",
            "~",
            "1",
            "1.0",
            "0x1F",
            "0o7",
            "1e3",
            "-",
            "- a",
            ":",
            "a: b",
            "a:",
            "#",
            " #a",
            "a #b",
            "'",
            "\"",
            "\\",
            "[",
            "]",
            "{",
            "}",
            ",",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
            "%",
            "@",
            "`",
            "?",
            "? a",
            " ",
            "  ",
            "\n",
            "\n\n",
            "\t",
            "\r",
            "é",
            "\uD83D\uDE80",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\u200B",
            "=",
            "<<",
            "---",
            "...",
            "2001-01-01",
            "1:30",
            "__proto__",
            ".inf",
            "$",
            "(");

    private static final List<String> NUMBERS =
            List.of("0", "-1", "1.0", "1.50", "12345678901234567890", "-0.0", "1.0e+3", "6.02E+23");

    @Test
    void shouldWriteYamlThatMeansWhatTheServiceSaid() throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Browser browser = Browser.start();
                HttpEndpoint endpoint = HttpEndpoint.start(
                        anyPort, Hosts.of(anyPort, List.of()), AccessControl.off(), List.of(PageRoutes.bulkhead()))) {
            browser.at("http://127.0.0.1:" + endpoint.port());
            browser.give(null);
            Random random = new Random(SEED);
            List<Value> trees = new ArrayList<>();
            List<String> json = new ArrayList<>();
            for (int i = 0; i < TREES; i++) {
                Value tree = new Trees(random).value(0);
                trees.add(tree);
                json.add(new String(JsonValues.write(tree), UTF_8));
            }
            List<?> yaml = (List<?>) browser.runAsync("""
                    const [json, done] = arguments;
                    import('/page/tree.js').then(tree => done(json.map(each => tree.yaml(tree.parse(each)))), failure => done([String(failure)]))""", json);
            assertThat(yaml).hasSize(TREES);
            DocumentReader reader = new DocumentReader(Limits.DEFAULT);
            for (int i = 0; i < TREES; i++) {
                String text = (String) yaml.get(i);
                assertThat(reader.readTrees(text.getBytes(UTF_8), TextFormat.YAML, "page")
                                .get(0)
                                .value())
                        .as("seed %d, tree %d: %s\n%s", SEED, i, json.get(i), text)
                        .isEqualTo(trees.get(i));
            }
        }
    }

    /** Trees by chance. */
    private record Trees(Random random) {

        Value value(int depth) {
            int kind = random.nextInt(depth == 0 ? 1 : depth > 4 ? 5 : 9);
            return switch (depth == 0 ? 8 : kind) {
                case 0 -> Null.NULL;
                case 1 -> Bool.of(random.nextBoolean());
                case 2 -> Num.ofLiteral(NUMBERS.get(random.nextInt(NUMBERS.size())));
                case 3, 4 -> new Text(text());
                case 5, 6 -> list(depth);
                default -> map(depth);
            };
        }

        private Value list(int depth) {
            List<Value> items = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                items.add(value(depth + 1));
            }
            return ListValue.of(items);
        }

        private Value map(int depth) {
            MapValue.Builder map = MapValue.builder();
            for (int i = random.nextInt(4); i > 0; i--) {
                map.put(text(), value(depth + 1));
            }
            return map.build();
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(5); i >= 0; i--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            return text.toString();
        }
    }
}
