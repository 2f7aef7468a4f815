package dev.strake.checks.bench;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was measured, as a table for people while it comes in, and as JSON for programs in the end. */
public final class Figures {

    private final String command;
    private final PrintStream out;
    private final List<Figure> all = new ArrayList<>();

    /**
     * One figure.
     *
     * @param what in words, with the sizes it was measured at
     * @param unit "×" for a ratio
     */
    private record Figure(String what, double value, String unit) {}

    /**
     * An empty table.
     *
     * @param command what was called to measure this
     */
    public Figures(String command, PrintStream out) {
        this.command = command;
        this.out = out;
    }

    /** Numbers as they are given to an option. */
    public static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    public void add(String what, double value, String unit) {
        all.add(new Figure(what, value, unit));
        out.printf(Locale.ROOT, "%-74s %14s %s%n", what, number(value), unit);
    }

    /** A figure in relation to another of the same unit. */
    public void addRatio(String what, double value, double to) {
        add(what, value / to, "×");
    }

    /** Writes them with what one has to know to compare them with others. */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, JsonValues.write(json()));
        out.println("written to " + file);
    }

    private Value json() {
        MapValue machine = MapValue.builder()
                .put("java", new Text(Runtime.version().toString()))
                .put("processors", Num.of(Runtime.getRuntime().availableProcessors()))
                .put("heapBytes", Num.of(Runtime.getRuntime().maxMemory()))
                .put("os", new Text(System.getProperty("os.name") + " " + System.getProperty("os.version")))
                .build();
        List<Value> figures = new ArrayList<>();
        for (Figure figure : all) {
            figures.add(MapValue.builder()
                    .put("what", new Text(figure.what()))
                    .put("value", Num.ofLiteral(number(figure.value())))
                    .put("unit", new Text(figure.unit()))
                    .build());
        }
        return MapValue.builder()
                .put("command", new Text(command))
                .put("time", new Text(Instant.now().toString()))
                .put("machine", machine)
                .put("figures", ListValue.of(figures))
                .build();
    }

    /* Four digits say all there is; what is large is said in whole numbers. */
    private static String number(double value) {
        int decimals = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
