package dev.strake.checks.bench;

import dev.strake.checks.bench.airship.AirshipBench;
import dev.strake.checks.bench.gate.GateBench;
import dev.strake.checks.bench.state.StateBench;
import dev.strake.checks.bench.stream.StreamBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code checks/bench}. */
@Command(
        name = "checks/bench",
        mixinStandardHelpOptions = true,
        subcommands = {StateBench.class, StreamBench.class, AirshipBench.class, GateBench.class},
        description = "Measures Strake. Figures go to stdout as a table and to checks/target as JSON.")
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
        throw new ParameterException(spec.commandLine(), "What to measure? state, stream, airship or gate.");
    }
}
