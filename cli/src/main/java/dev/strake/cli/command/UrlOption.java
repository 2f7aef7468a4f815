package dev.strake.cli.command;

import dev.strake.client.StateClient;
import dev.strake.engine.tree.MapValue;
import java.net.URI;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Where the Strake is that a command asks. */
final class UrlOption {

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:STRAKE_URL:-http://127.0.0.1:8080}",
            description = "Where Strake answers HTTP. Default: STRAKE_URL of the environment, or http://127.0.0.1:8080")
    private URI url;

    StateClient client() {
        return new StateClient(url);
    }

    StateClient client(Duration timeout) {
        return new StateClient(url, timeout);
    }

    MapValue ask(String workspace, String path) throws StateClient.NotFoundException, InterruptedException {
        return client().ask(workspace, path);
    }
}
