package dev.strake.checks.bench;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Results of measurements, printed as a table for people and written as JSON for programs. */
public final class Figures {

    private final String command;
    private final PrintStream out;
    private final List<Figure> all = new ArrayList<>();

    /**
     * One result.
     *
     * @param what a description, including sizes
     * @param unit "×" for a ratio
     */
    private record Figure(String what, double value, String unit) {}

    /**
     * Creates an empty table.
     *
     * @param command the command that was called
     */
    public Figures(String command, PrintStream out) {
        this.command = command;
        this.out = out;
    }

    /** Formats numbers as the value of an option. */
    public static String list(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    public void add(String what, double value, String unit) {
        all.add(new Figure(what, value, unit));
        out.printf(Locale.ROOT, "%-74s %14s %s%n", what, number(value), unit);
    }

    /** Adds the ratio to another figure of the same unit. */
    public void addRatio(String what, double value, double to) {
        add(what, value / to, "×");
    }

    /** Writes the figures, with the data needed to compare them with others. */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, JsonBytes.of(json()));
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

    /* Four significant digits; large values as integers. */
    private static String number(double value) {
        int decimals = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
