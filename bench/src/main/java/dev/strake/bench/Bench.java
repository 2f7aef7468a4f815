package dev.strake.bench;

import dev.strake.bench.state.StateBench;
import dev.strake.bench.stream.StreamBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code bench/run}. */
@Command(
        name = "bench/run",
        mixinStandardHelpOptions = true,
        subcommands = {StateBench.class, StreamBench.class},
        description = "Measures Strake. Figures go to stdout as a table and to bench/target as JSON.")
public final class Bench implements Runnable {

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs one measurement and returns its exit code. */
    static int run(String... args) {
        return new CommandLine(new Bench()).execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "What to measure? state or stream.");
    }
}
