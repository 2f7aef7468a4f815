package dev.strake.cli.remote;

import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.Network;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** From where a fetcher may fetch, as options or from the environment. */
public final class FetchPolicyOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--allow-host",
            paramLabel = "HOSTS",
            hideParamSyntax = true,
            split = ",",
            defaultValue = "${env:STRAKE_FETCH_ALLOW_HOST}",
            description = "Hosts allowed as sources, separated by commas: example.org, *.example.org, "
                    + "example.org:8443. Default: STRAKE_FETCH_ALLOW_HOST, or all.")
    private List<String> hosts = List.of();

    @Option(
            names = "--allow-private",
            paramLabel = "CIDRS",
            hideParamSyntax = true,
            split = ",",
            defaultValue = "${env:STRAKE_FETCH_ALLOW_PRIVATE}",
            description = "Private addresses (CIDR) allowed as sources, as 10.1.0.0/16,::1. Default: "
                    + "STRAKE_FETCH_ALLOW_PRIVATE, or none.")
    private List<String> networks = List.of();

    @Option(
            names = "--allow-files",
            paramLabel = "DIRS",
            hideParamSyntax = true,
            split = ",",
            defaultValue = "${env:STRAKE_FETCH_ALLOW_FILES}",
            description = "Folders that may contain repositories to read as files, separated by commas. Default: "
                    + "STRAKE_FETCH_ALLOW_FILES, or none.")
    private List<Path> folders = List.of();

    @Option(
            names = "--max-bytes",
            paramLabel = "BYTES",
            defaultValue = "16777216",
            description = "The largest size of a response, and of all responses of a resource, unpacked. Default: "
                    + "${DEFAULT-VALUE}")
    private long maxBytes;

    @Option(
            names = "--source-timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a response may take as a whole. Default: ${DEFAULT-VALUE}")
    private int timeout;

    /**
     * Returns the policy of these options.
     *
     * @throws ParameterException if an option is invalid
     */
    public FetchPolicy policy() {
        if (maxBytes < 1 || timeout < 1) {
            throw new ParameterException(
                    command.commandLine(), "--max-bytes and --source-timeout have to be 1 or more.");
        }
        List<Network> allowed = new ArrayList<>();
        for (String network : given(networks)) {
            try {
                allowed.add(Network.of(network));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(command.commandLine(), "--allow-private: " + e.getMessage() + ".", e);
            }
        }
        return new FetchPolicy(
                given(hosts), allowed, folders == null ? List.of() : folders, maxBytes, Duration.ofSeconds(timeout));
    }

    private static List<String> given(List<String> list) {
        return list == null
                ? List.of()
                : list.stream().filter(each -> !each.isBlank()).toList();
    }
}
