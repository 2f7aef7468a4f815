package dev.strake.checks.bench;

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
        subcommands = {StateBench.class, StreamBench.class},
        description = "Measures Strake. Figures go to stdout.")
public final class Bench implements Runnable {

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Bench()).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "What to measure? state or stream.");
    }
}
