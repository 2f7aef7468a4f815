package dev.strake.cli.command;

import dev.strake.client.StateClient;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the Strake is that a command asks. */
final class UrlOption {

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:STRAKE_URL:-http://127.0.0.1:8080}",
            description = "Where Strake answers HTTP. Default: http://127.0.0.1:8080")
    private URI url;

    StateClient client(Duration timeout) {
        return new StateClient(url, timeout);
    }

    MapValue ask(String workspace, String path) throws StateClient.NotFoundException, InterruptedException {
        return new StateClient(url).ask(workspace, path);
    }

    Iterable<Value> items(String workspace, String list, Optional<Long> revision)
            throws StateClient.NotFoundException, InterruptedException {
        return new StateClient(url).items(workspace, list, revision);
    }
}
