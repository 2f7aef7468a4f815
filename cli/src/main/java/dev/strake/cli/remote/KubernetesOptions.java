package dev.strake.cli.remote;

import dev.strake.cli.output.Lower;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.kubernetes.ApiServer;
import dev.strake.remote.apply.kubernetes.KubernetesTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The options of {@code strake apply --kubernetes}. */
final class KubernetesOptions {

    @Option(names = "--kubernetes", description = "The cluster of a kubeconfig, or the one in which this runs.")
    private boolean kubernetes;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "With --kubernetes. Default: that of KUBECONFIG, or ~/.kube/config, or the service account of a pod")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "C",
            description = "A context of the kubeconfig. Default: its current one")
    private Optional<String> context = Optional.empty();

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "The namespace of objects that name none, of the applier's own ConfigMap, and of the "
                    + "ConfigMap razeedeploy-config. Default: that of the context")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--drift",
            defaultValue = "correct",
            description = "What to do with objects that others changed: correct or report. Default: ${DEFAULT-VALUE}")
    private Drift drift;

    @Option(
            names = "--look-every",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How often all objects are read, to detect changes by others. Default: ${DEFAULT-VALUE}")
    private int lookEvery;

    @Option(
            names = "--as",
            paramLabel = "USER",
            defaultValue = "razeedeploy",
            description =
                    "The user to impersonate for objects that come from no RemoteResource, if razeedeploy-config has "
                            + "enable-impersonation. Default: ${DEFAULT-VALUE}")
    private String user;

    enum Drift {
        CORRECT,
        REPORT;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    boolean isWanted() {
        return kubernetes;
    }

    /** Returns what is wrong with the options; empty if they are valid. */
    Optional<String> mistake() {
        if (!kubernetes && (kubeconfig.isPresent() || context.isPresent() || namespace.isPresent())) {
            return Optional.of("--kubeconfig, --context and --namespace go with --kubernetes.");
        }
        if (lookEvery < 1) {
            return Optional.of("--look-every has to be one second or more.");
        }
        return Optional.empty();
    }

    ApiServer connect(ApiServer.Listener requests) throws IOException {
        return ApiServer.connect(kubeconfig, context, requests);
    }

    KubernetesTarget target(
            ApiServer server,
            String workspace,
            RemovalRule rule,
            boolean dryRun,
            Function<Value, String> text,
            DocumentResult.Listener results) {
        return new KubernetesTarget(
                server,
                new KubernetesTarget.Options(
                        workspace,
                        namespace.orElse(server.namespace()),
                        rule,
                        dryRun,
                        new KubernetesTarget.Drift(drift == Drift.CORRECT, Duration.ofSeconds(lookEvery)),
                        user,
                        text),
                results);
    }
}
