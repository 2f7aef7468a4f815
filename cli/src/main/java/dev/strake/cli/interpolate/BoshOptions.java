package dev.strake.cli.interpolate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The options that all commands of bosh accept, before the command as well as after it. */
public final class BoshOptions {

    @Option(
            names = "--json",
            description = "Print the result, or what went wrong, as text in the JSON that bosh prints.")
    private boolean[] json = {};

    @Option(names = "--no-color", description = "No colours.")
    private boolean[] plain = {};

    /* Accepted but unused: there are no questions, no tables and no director here. */
    @Option(
            names = {"-n", "--non-interactive", "--tty", "--sha2"},
            hidden = true)
    private boolean[] unusedSwitches = {};

    @Option(
            names = {
                "-e",
                "--environment",
                "--ca-cert",
                "--client",
                "--client-secret",
                "-d",
                "--deployment",
                "--config",
                "--parallel",
                "--column"
            },
            paramLabel = "VALUE",
            hidden = true)
    private List<String> unusedValues = new ArrayList<>();

    boolean wantsJson() {
        return isGiven(json);
    }

    boolean wantsNoColour() {
        return isGiven(plain);
    }

    /** Whether a switch is on. Switches may be repeated; the last one counts. */
    static boolean isGiven(boolean[] option) {
        return option.length > 0 && option[option.length - 1];
    }

    /**
     * Moves the command in front if only these options precede it. Returns any other command line unchanged.
     *
     * @param commands the names of the command that accepts these options
     */
    public static String[] behindCommand(List<String> commands, String... args) {
        if (args.length == 0 || !args[0].startsWith("-") || Collections.disjoint(List.of(args), commands)) {
            return args;
        }
        Map<String, OptionSpec> options =
                CommandSpec.forAnnotatedObject(new BoshOptions()).optionsMap();
        int at = 0;
        int length;
        while (at < args.length && (length = length(args[at], options)) > 0) {
            at += length;
        }
        if (at == 0 || at >= args.length || !commands.contains(args[at])) {
            return args;
        }
        List<String> all = new ArrayList<>(List.of(args));
        all.add(0, all.remove(at));
        return all.toArray(String[]::new);
    }

    /* Counts an option and its value; 0 if it is not an option. A value may be attached: -dNAME, --client=NAME. */
    private static int length(String arg, Map<String, OptionSpec> options) {
        boolean isLong = arg.startsWith("--");
        int end = isLong ? arg.indexOf('=') : Math.min(2, arg.length());
        String name = end < 0 ? arg : arg.substring(0, end);
        OptionSpec option = options.get(name);
        if (option == null) {
            return 0;
        }
        boolean isValueNext = option.arity().min() > 0 && name.length() == arg.length();
        return isValueNext ? 2 : 1;
    }
}
