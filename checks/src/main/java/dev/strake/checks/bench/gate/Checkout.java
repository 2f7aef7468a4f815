package dev.strake.checks.bench.gate;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A checkout of Strake, and the measurements of its programs so far. */
final class Checkout {

    private static final int STARTS = 3;

    /* Prints wall-clock, user and system seconds. The launcher needs bash, too. */
    private static final String TIMED = "exec 3>&2; TIMEFORMAT='%R %U %S'; { time \"$@\" >/dev/null 2>&3; } 2>&1";

    private final Path root;
    private final Path log;
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();

    Checkout(Path root) {
        this.root = root;
        this.log = root.resolve("checks/target/gate.log");
    }

    /** Builds both programs, the launcher in any case, because its class archive fits only the jar of its build. */
    void build() throws IOException, InterruptedException {
        Files.createDirectories(log.getParent());
        timed("checks/bench", "--help");
        Files.deleteIfExists(root.resolve("cli/target/launcher.built"));
        timed("strake", "--help");
    }

    /** Writes the documents of the demo. */
    void writeSite(Path directory) throws IOException, InterruptedException {
        timed("strake", "demo", "--write", directory.toString());
    }

    /** Measures each figure once more, in separate processes; for short figures the median of several runs. */
    void measure(int documents, Path site) throws IOException, InterruptedException {
        Path json = site.resolveSibling("state.json");
        timed("checks/bench state --changes 500 --revisions 0 --secrets 0 --documents %1$d --children %1$d --json %2$s"
                .formatted(documents, json)
                .split(" "));
        MapValue state = (MapValue) JsonReader.read(Files.readAllBytes(json));
        add("one-leaf change, CPU, µs", figure(state, "one-leaf change among", "CPU median"));
        add("fan-out, CPU for each child, µs", figure(state, "each of", "CPU of the thread that has the change"));
        starts("render of airsloop", "strake", "render", site.toString());
        starts("--help", "strake", "--help");
    }

    private void add(String figure, double value) {
        figures.computeIfAbsent(figure, name -> new ArrayList<>()).add(value);
    }

    Set<String> figures() {
        return figures.keySet();
    }

    double[] values(String figure) {
        return figures.get(figure).stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double figure(MapValue state, String begin, String end) {
        return state.items("figures").stream()
                .map(MapValue.class::cast)
                .filter(each ->
                        each.text("what").startsWith(begin) && each.text("what").endsWith(end))
                .map(each -> ((Num) each.get("value")).decimal().doubleValue())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("checks/bench state has no figure " + begin));
    }

    private void starts(String what, String... command) throws IOException, InterruptedException {
        double[] cpu = new double[STARTS];
        double[] wall = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            String[] seconds = timed(command);
            wall[i] = Double.parseDouble(seconds[0]);
            cpu[i] = Double.parseDouble(seconds[1]) + Double.parseDouble(seconds[2]);
        }
        add(what + ", CPU, s", PairedRatio.median(cpu));
        add(what + ", wall, s", PairedRatio.median(wall));
    }

    private String[] timed(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(
                List.of("bash", "-c", TIMED, "bash", root.resolve(command[0]).toString()));
        words.addAll(List.of(command).subList(1, command.length));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s failed in %s, see %s".formatted(String.join(" ", command), root, log));
        }
        return printed.strip().split(" ");
    }
}
