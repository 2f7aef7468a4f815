package dev.strake.bench.engine;

import dev.strake.bench.Figures;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The steps of the engine under JMH: time and memory of each, and how they grow with the size of the input. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = "Measures the engine alone, with JMH: average time and bytes allocated for each operation.")
public final class EngineBench implements Callable<Integer> {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Parameters(
            arity = "0..1",
            paramLabel = "WHICH",
            defaultValue = ".*",
            description = "A regular expression over benchmarks, such as OneLeaf. Default: all.")
    private String which;

    @Option(
            names = "--quick",
            description = "One short round with small inputs: proves that it runs, measures nothing.")
    private boolean quick;

    @Option(names = "--forks", defaultValue = "1", description = "JVMs for each benchmark. Default: ${DEFAULT-VALUE}")
    private int forks;

    @Option(
            names = "--iterations",
            defaultValue = "5",
            description = "Rounds of a second that count, after three that do not. Default: ${DEFAULT-VALUE}")
    private int iterations;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "bench/target/engine.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    @Override
    public Integer call() throws Exception {
        Figures figures = new Figures("bench/run engine" + (quick ? " --quick " : " ") + which, System.out);
        for (RunResult run : run()) {
            Result<?> time = run.getPrimaryResult();
            String what = name(run);
            figures.add(what, time.getScore(), "µs");
            figures.add(what + ", allocated", allocated(run), "bytes");
        }
        figures.write(json);
        return 0;
    }

    private Collection<RunResult> run() throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("dev\\.strake\\.bench\\.engine\\..*" + which)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .jvmArgs("-Xmx2g", "-XX:+UseSerialGC", "-Djmh.ignoreLock=true");
        if (quick) {
            return new Runner(options.forks(0)
                            .warmupIterations(0)
                            .measurementIterations(1)
                            .measurementTime(TimeValue.milliseconds(20))
                            .param("documents", "100")
                            .param("children", "10")
                            .param("operations", "10")
                            .build())
                    .run();
        }
        return new Runner(options.forks(forks)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(iterations)
                        .measurementTime(TimeValue.seconds(1))
                        .build())
                .run();
    }

    /* FanOut.changeParent, children 1000 */
    private static String name(RunResult run) {
        String full = run.getParams().getBenchmark();
        StringBuilder name = new StringBuilder(full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1));
        for (String parameter : run.getParams().getParamsKeys()) {
            long value = Long.parseLong(run.getParams().getParam(parameter));
            name.append(", ").append(String.format(Locale.ROOT, "%,d %s", value, parameter));
        }
        return name.toString();
    }

    private static double allocated(RunResult run) {
        Result<?> found = run.getSecondaryResults().get(ALLOCATED);
        if (found == null) {
            throw new IllegalStateException("this JVM does not tell what a thread allocates");
        }
        return found.getScore();
    }
}
