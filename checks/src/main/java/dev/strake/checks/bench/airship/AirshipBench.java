package dev.strake.checks.bench.airship;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.strake.checks.bench.Figures;
import dev.strake.cli.local.BundledSite;
import dev.strake.cli.local.LocalServer;
import dev.strake.cli.local.TemporaryDirectory;
import dev.strake.engine.document.Document;
import dev.strake.serdes.text.YamlOutput;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures Airship's requests: a real site through the Deckhand API of {@code strake up}; adds Deckhand's figures. */
@Command(
        name = "airship",
        mixinStandardHelpOptions = true,
        description =
                "Measures Deckhand's API through HTTP: PUT of a real site, in which one image is another each time, and its "
                        + "rendered documents. Medians of warm requests.")
public final class AirshipBench implements Callable<Integer> {

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "30",
            description = "PUTs that count. Default: ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "30",
            description = "PUTs before them. Default: ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "checks/target/airship.json",
            description = "Where to write the figures. Default: ${DEFAULT-VALUE}")
    private Path json;

    private final HttpClient client = HttpClient.newHttpClient();

    @Override
    public Integer call() throws Exception {
        Figures figures =
                new Figures("checks/bench airship --rounds %d --warm-up %d".formatted(rounds, warmUp), System.out);
        try (TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench");
                LocalServer server = LocalServer.start(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                        .with(Catalogue.DATA, scratch.path())
                        .with(Catalogue.HTTP_PORT, 0))) {
            server.server().pipeline().awaitReady(Duration.ofMinutes(2));
            measure(server.url() + "/deckhand/" + BundledSite.NAME + "/api/v1.0", figures);
        }
        // Measured on a similar machine: one process of Deckhand's engine, with cached paths, without HTTP and
        // database.
        figures.add("Deckhand's engine alone: check of the format, all rendered", 700, "ms");
        figures.add("Deckhand's engine alone: the same, and check of what is rendered", 1_500, "ms");
        figures.write(json);
        return 0;
    }

    private void measure(String deckhand, Figures figures) throws Exception {
        List<Document> site = BundledSite.documents();
        String of = " of %s, %d documents".formatted(BundledSite.NAME, site.size());
        double[] puts = new double[rounds];
        double[] rendered = new double[rounds];
        double[] one = new double[rounds];
        for (int i = -warmUp; i < rounds; i++) {
            String body = yaml(site, "v" + (warmUp + i));
            long begin = System.nanoTime();
            String answer = send("PUT", deckhand + "/buckets/site/documents", body);
            double put = millisSince(begin);
            String revision = deckhand + "/revisions/" + revision(answer);
            begin = System.nanoTime();
            send("GET", revision + "/rendered-documents", "");
            double all = millisSince(begin);
            begin = System.nanoTime();
            send("GET", revision + "/rendered-documents?schema=armada/Manifest/v1", "");
            double few = millisSince(begin);
            if (i == -warmUp) {
                figures.add("first PUT" + of, put, "ms");
                figures.add("first GET rendered-documents" + of, all, "ms");
            }
            if (i >= 0) {
                puts[i] = put;
                rendered[i] = all;
                one[i] = few;
            }
        }
        figures.add("PUT, one changed," + of, median(puts), "ms");
        figures.add("GET rendered-documents right after it" + of, median(rendered), "ms");
        figures.add("GET rendered-documents of one schema" + of, median(one), "ms");
    }

    private static String yaml(List<Document> site, String version) {
        Document changed = BundledSite.withImage(site, version);
        StringWriter text = new StringWriter();
        YamlOutput.printAll(
                new PrintWriter(text),
                site.stream()
                        .map(each -> each.id().equals(changed.id()) ? changed.tree() : each.tree())
                        .toList());
        return text.toString();
    }

    private String send(String method, String address, String body) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = client.send(
                HttpRequest.newBuilder(URI.create(address))
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .header("Content-Type", "application/x-yaml")
                        .build(),
                BodyHandlers.ofByteArray());
        String text = new String(response.body(), UTF_8);
        if (response.statusCode() != 200) {
            throw new IllegalStateException(method + " " + address + ": " + response.statusCode() + "\n" + text);
        }
        return text;
    }

    /* Returns the revision of the last document, whose status comes last. */
    private static String revision(String answer) {
        return answer.substring(answer.lastIndexOf("revision: ") + "revision: ".length())
                .strip();
    }

    private static double millisSince(long begin) {
        return (System.nanoTime() - begin) / 1e6;
    }

    private static double median(double[] values) {
        return Arrays.stream(values)
                .sorted()
                .skip(values.length / 2)
                .findFirst()
                .orElseThrow();
    }
}
