package dev.strake.checks.bench.gate;

import static dev.strake.checks.bench.gate.PairedRatio.FEWEST_PAIRS;

import dev.strake.cli.local.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares this build with another one in alternating order: this and that, then that and this. */
@Command(
        name = "gate",
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 70,
        description = {
            "Compares this checkout with another one by turns: one-leaf change, fan-out, rendering a site, start.",
            "The ratio is this to the other, from pairs (Hodges-Lehmann), with its exact 99 %% interval (Wilcoxon). "
                    + "A figure is worse if the ratio is at least 1.05 and the interval is above 1.",
            "Exit codes: 0 nothing is worse, 1 a figure is, 70 something could not be built or run."
        })
public final class GateBench implements Callable<Integer> {

    private static final Duration TIME_TO_BEGIN_A_PAIR = Duration.ofMinutes(13);

    @Parameters(
            paramLabel = "OTHER",
            description = "A checkout, or a revision of Git, which is built in checks/target/gate.")
    private String other;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "10",
            description = "At least eight; those beyond begin within 13 minutes. Default: ${DEFAULT-VALUE}")
    private int pairs;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Size of the workspace, and of the family that fans out. Default: ${DEFAULT-VALUE}")
    private int documents;

    private final Path here = Path.of("").toAbsolutePath();

    @Override
    public Integer call() throws Exception {
        if (Files.isRegularFile(Path.of(other, "checks", "bench"))) {
            return compare(new Checkout(Path.of(other).toAbsolutePath()));
        }
        Path root = here.resolve("checks/target/gate");
        if (Files.exists(root)) { // left by an interrupted run
            git("remove", "--force", root.toString());
        }
        git("add", "--force", "--quiet", "--detach", root.toString(), other);
        try {
            return compare(new Checkout(root));
        } finally {
            git("remove", "--force", root.toString());
        }
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", here.toString(), "worktree"));
        command.addAll(List.of(arguments));
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed, see above");
        }
    }

    private int compare(Checkout that) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIME_TO_BEGIN_A_PAIR.toNanos();
        Checkout self = new Checkout(here);
        try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-gate")) {
            Path site = scratch.path().resolve("site");
            that.build();
            self.build();
            self.writeSite(site);
            for (int pair = 1; pair <= FEWEST_PAIRS || (pair <= pairs && System.nanoTime() < end); pair++) {
                for (Checkout each : pair % 2 == 1 ? List.of(self, that) : List.of(that, self)) {
                    each.measure(documents, site);
                }
                System.err.println("checks/bench: %d of %d pairs".formatted(pair, Math.max(pairs, FEWEST_PAIRS)));
            }
        }
        return report(self, that);
    }

    private static int report(Checkout self, Checkout that) {
        System.out.printf("%-34s %10s %10s %8s   99 %% interval%n", "median", "other", "this", "ratio");
        boolean isWorse = false;
        for (String figure : self.figures()) {
            PairedRatio ratio = PairedRatio.of(self.values(figure), that.values(figure));
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %10.3f %10.3f %8.3f   %.3f to %.3f%s%n",
                    figure,
                    PairedRatio.median(that.values(figure)),
                    PairedRatio.median(self.values(figure)),
                    ratio.middle(),
                    ratio.low(),
                    ratio.high(),
                    ratio.isWorse() ? "  WORSE" : "");
            isWorse |= ratio.isWorse();
        }
        return isWorse ? 1 : 0;
    }
}
