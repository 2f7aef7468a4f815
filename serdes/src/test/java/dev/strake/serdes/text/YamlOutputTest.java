package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

class YamlOutputTest {

    private static final String[] PIECES = {
        "a",
        "yes",
        "n",
        "null",
        "~",
        "1",
        "0644",
        "1:30",
        "0x1f",
        "1e3",
        ".5",
        ".inf",
        "-",
        "- ",
        ": ",
        " #",
        "#",
        "'",
        "\"",
        "\\",
        "\n",
        "\n\n",
        "  ",
        "\t",
        "|",
        ">",
        "%",
        "@",
        "`",
        "!",
        "&a",
        "*a",
        "{",
        "}",
        "[",
        "]",
        ",",
        "?",
        "---",
        "...",
        "<<",
        "=",
        "é",
        "日",
        "\uD83D\uDE00",
        "\u0007",
        "\u0085",
        "\u2028",
        "\uFEFF",
        "\r",
        "\r\n",
        "2026-01-01"
    };

    /** Escapes of YAML 1.2 that the reader used here does not know. */
    private static final Pattern UNKNOWN_ESCAPE = Pattern.compile("\\\\[LPN_]");

    @Test
    void shouldReadBackAsTheSameValues() throws UnreadableTextException {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 3_000; i++) {
            Value value = MapValue.of("data", value(random, 4));
            String yaml = print(value);
            assertThat(read(yaml)).as("seed %d, step %d:%n%s", seed, i, yaml).containsExactly(value);
            if (!UNKNOWN_ESCAPE.matcher(yaml).find()) {
                assertThat(readAsOfVersion12(yaml))
                        .as("version 1.2, seed %d, step %d:%n%s", seed, i, yaml)
                        .isEqualTo(plain(value));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "-1.0", "1.50", "1.5e+10", "1.0E-7", "123456789012345678901234567890"})
    void shouldKeepTheFormOfNumbers(String literal) throws UnreadableTextException {
        Value value = MapValue.of("num", Num.ofLiteral(literal));
        assertThat(read(print(value))).containsExactly(value);
    }

    @ParameterizedTest
    @CsvSource({"1e3, 1.0e+3", "1.5e10, 1.5e+10", "-2E-7, -2.0E-7", "1e+3, 1.0e+3"})
    void shouldWriteNumbersThatBothVersionsOfYamlReadAsNumbers(String literal, String written)
            throws UnreadableTextException {
        String yaml = print(MapValue.of("num", Num.ofLiteral(literal)));
        assertThat(yaml).isEqualTo("---\nnum: " + written + "\n");
        assertThat(read(yaml)).containsExactly(MapValue.of("num", Num.ofLiteral(written)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "Off", "~", "0o17", "0644", "1_000", "12:30", "=", "", "null", "2026-01-01", ".nan"})
    void shouldQuoteTextsThatAReaderCouldMisread(String text) {
        assertThat(print(MapValue.of("key", new Text(text)))).isEqualTo("---\nkey: \"" + text + "\"\n");
    }

    @Test
    void shouldWriteLinesAsABlock() {
        assertThat(print(MapValue.of("unit", new Text("[Unit]\n  After: x\n")))).isEqualTo("""
                ---
                unit: |
                  [Unit]
                    After: x
                """);
    }

    static Value value(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 7);
        return switch (kind) {
            case 0 -> Null.NULL;
            case 1 -> random.nextBoolean() ? Bool.TRUE : Bool.FALSE;
            case 2 -> Num.ofLiteral(random.nextInt(1, 99) + new String[] {"", ".50", ".5e+2"}[random.nextInt(3)]);
            case 3, 4 -> new Text(text(random));
            case 5 -> {
                List<Value> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(random, depth - 1));
                }
                yield ListValue.of(items);
            }
            default -> {
                MapValue.Builder map = MapValue.builder();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(text(random), value(random, depth - 1));
                }
                yield map.build();
            }
        };
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static String print(Value value) {
        StringWriter out = new StringWriter();
        YamlOutput.print(new PrintWriter(out), value);
        return out.toString();
    }

    private static Object readAsOfVersion12(String yaml) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        return comparable(new Load(settings).loadFromString(yaml));
    }

    /* Compares numbers by value, regardless of their type. */
    private static Object comparable(Object read) {
        if (read instanceof Map<?, ?> map) {
            Map<Object, Object> result = new LinkedHashMap<>();
            map.forEach((key, item) -> result.put(key, comparable(item)));
            return result;
        } else if (read instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(item -> items.add(comparable(item)));
            return items;
        }
        return read instanceof Number number ? new BigDecimal(number.toString()).stripTrailingZeros() : read;
    }

    private static Object plain(Value value) {
        if (value instanceof MapValue map) {
            Map<Object, Object> result = new LinkedHashMap<>();
            map.forEach((key, item) -> result.put(key, plain(item)));
            return result;
        } else if (value instanceof ListValue list) {
            List<Object> items = new ArrayList<>();
            list.items().forEach(item -> items.add(plain(item)));
            return items;
        } else if (value instanceof Num num) {
            return new BigDecimal(num.literal()).stripTrailingZeros();
        } else if (value instanceof Text text) {
            return text.value();
        }
        return value instanceof Bool bool ? bool.value() : null;
    }

    private static List<Value> read(String yaml) throws UnreadableTextException {
        return new DocumentReader(Limits.DEFAULT)
                .readTrees(yaml.getBytes(UTF_8), TextFormat.YAML, "test").stream()
                        .map(ReadDocument::value)
                        .toList();
    }
}
