package dev.strake.local.page;

import static dev.strake.local.StrakeCommand.run;

import dev.strake.local.LocalServer;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long the page takes, measured in the browser, beside what of that is the time of the service. No part of the ordinary
 * build: {@code mvn -pl local verify -Dit.test=PageFigures}, or one of it: {@code PageFigures#shouldMeasureTenThousandDocuments}.
 */
class PageFigures {

    private static final int TIMES = 15;

    /** Does something, waits until it shows, and tells how long that took and how long the service took for it. */
    private static final String MEASURE = """
            const done = arguments[0];
            performance.clearResourceTimings();
            const begin = performance.now();
            ACTION;
            const look = () => {
              if (SHOWS) {
                const end = performance.now();
                const service = performance.getEntriesByType('resource')
                    .filter(each => each.name.includes('/workspaces/') && !each.name.includes('/events'))
                    .map(each => each.responseEnd - each.startTime);
                done([end - begin, Math.max(0, ...service)]);
              } else {
                requestAnimationFrame(look);
              }
            };
            requestAnimationFrame(look)""";

    /** Scrolls on with each frame, and tells the longest one. */
    private static final String SCROLL = """
            const [selector, axis, done] = arguments;
            const element = document.querySelector(selector);
            const frames = [];
            let last = null;
            const step = now => {
              if (last !== null) {
                frames.push(now - last);
              }
              last = now;
              if (frames.length === 120) {
                frames.sort((a, b) => a - b);
                done([frames[60], frames[119]]);
                return;
              }
              element[axis] += (element[axis === 'scrollTop' ? 'scrollHeight' : 'scrollWidth']) / 130;
              requestAnimationFrame(step);
            };
            requestAnimationFrame(step)""";

    @TempDir
    Path directory;

    private final Map<String, List<double[]>> figures = new TreeMap<>();
    private Browser browser;

    @Test
    void shouldMeasureASiteOfFourHundredDocuments() throws Exception {
        measure("site", server -> {
            Path site = directory.resolve("site");
            run(0, "demo", "--write", site.toString());
            publish(server, "airsloop", site);
            for (int i = 0; i < TIMES; i++) {
                firstView("1 first view: all workspaces", "#/");
                firstView("1 first view: documents of 427", "#/w/airsloop/documents");
                firstView("1 first view: graph of 427", "#/w/airsloop/graph");
                clicks("2 of 427: ", "airsloop", "ucp-deckhand");
            }
        });
    }

    @Test
    void shouldMeasureTenThousandDocuments() throws Exception {
        measure("documents", server -> {
            publish(server, "many", Files.writeString(directory.resolve("many.json"), HostileDocuments.many(10_000)));
            for (int i = 0; i < TIMES / 3; i++) {
                firstView("3 first view: documents of 10,000", "#/w/many/documents");
                type("4 of 10,000: search for a name");
                scroll("5 of 10,000: scroll the list, a frame", ".rows", "scrollTop");
                firstView("3 first view: everything of 10,000", "#/w/many/graph?mode=all");
                scroll("5 of 10,000: scroll everything, a frame", ".graph", "scrollTop");
                scroll("5 of 10,000: scroll it sideways, a frame", ".graph", "scrollLeft");
                clicks("4 of 10,000: ", "many", "child-5000");
            }
        });
    }

    @Test
    void shouldMeasureTenThousandWorkspaces() throws Exception {
        measure("workspaces", server -> {
            publishWorkspaces(server, HostileDocuments.POLICY);
            for (int i = 0; i < TIMES / 3; i++) {
                firstView("6 first view: 10,000 workspaces", "#/");
                scroll("7 of 10,000 workspaces: scroll, a frame", ".rows", "scrollTop");
            }
        });
    }

    @Test
    void shouldMeasureTenThousandWorkspacesInTrouble() throws Exception {
        measure("trouble", server -> {
            publishWorkspaces(server, HostileDocuments.inTrouble());
            for (int i = 0; i < TIMES / 3; i++) {
                firstView("8 first view: 10,000 workspaces in trouble", "#/");
                scroll("9 of 10,000 workspaces in trouble: scroll, a frame", ".rows", "scrollTop");
            }
        });
    }

    @FunctionalInterface
    private interface Measurement {
        void of(LocalServer server) throws Exception;
    }

    private void measure(String what, Measurement measurement) throws Exception {
        try (Browser started = Browser.start();
                LocalServer server = LocalServer.start(Settings.of(List.of(Catalogue.DEFAULTS_OF_UP))
                        .with(Catalogue.DATA, directory.resolve("data"))
                        .with(Catalogue.HTTP_PORT, 0))) {
            browser = started;
            server.server().pipeline().awaitReady(Duration.ofMinutes(10));
            browser.at(server.url());
            measurement.of(server);
        }
        StringBuilder table = new StringBuilder(
                "| | median | 90 % | most | of that, the service (median) |\n| --- | --- | --- | --- | --- |\n");
        figures.forEach((name, all) -> {
            if (name.contains("frame")) {
                table.append("| %s | %.0f ms | – | %.0f ms | – |%n"
                        .formatted(name.substring(2), quantile(all, 0, 0.5), quantile(all, 1, 1)));
            } else {
                table.append("| %s | %.0f ms | %.0f ms | %.0f ms | %.0f ms |%n"
                        .formatted(
                                name.substring(2),
                                quantile(all, 0, 0.5),
                                quantile(all, 0, 0.9),
                                quantile(all, 0, 1),
                                quantile(all, 1, 0.5)));
            }
        });
        Files.createDirectories(Path.of("target/page"));
        Files.writeString(Path.of("target/page/figures-" + what + ".md"), table);
        System.out.println(table);
    }

    private void firstView(String name, String hash) {
        browser.open(hash);
        browser.runAsync("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))");
        List<?> measured = (List<?>) browser.run("""
                const view = performance.getEntriesByName('view')[0];
                const service = performance.getEntriesByType('resource').filter(each =>
                    each.name.includes('/workspaces') && each.responseEnd <= view.startTime);
                return [view.startTime, Math.max(0, ...service.map(each => each.responseEnd)) - Math.min(...service.map(each => each.startTime))]""");
        add(name, measured);
    }

    private void clicks(String group, String workspace, String name) {
        browser.open("#/w/" + workspace + "/documents?q=" + name);
        browser.awaitText("tbody", name);
        add(
                group + "open a document",
                measured(
                        "document.querySelector('tbody a').click()",
                        "document.querySelector('.code[aria-label$=rendered] .leaf')"));
        add(
                group + "ask where a value comes from",
                measured(
                        "document.querySelector('.code[aria-label$=rendered] .leaf').click()",
                        "document.querySelector('.cause.won')"));
        browser.open("#/w/" + workspace + "/graph");
        add(
                group + "show the neighbours of a document",
                measured("""
                const search = document.querySelector('input[aria-label="Find a document"]');
                search.value = '%s';
                search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))""".formatted(name), "document.querySelector('.node.chosen')"));
        add(
                group + "show what it reaches",
                measured(
                        "document.querySelector('[data-mode=reaches]').click()",
                        "document.querySelector('.side')?.textContent.includes('Reaches, by depth')"));
    }

    private void type(String name) {
        browser.open("#/w/many/documents");
        add(name, measured("""
                const search = document.querySelector('input[aria-label="Search documents"]');
                search.value = 'child-77';
                search.dispatchEvent(new Event('input'))""", "document.querySelector('tbody')?.textContent.includes('child-7709')"));
    }

    /* As one script: the policy of the page keeps text from becoming code in it. */
    private Object measured(String action, String shows) {
        return browser.runAsync(MEASURE.replace("ACTION", action).replace("SHOWS", shows));
    }

    private void scroll(String name, String selector, String axis) {
        add(name, browser.runAsync(SCROLL, selector, axis));
    }

    private void add(String name, Object measured) {
        List<?> numbers = (List<?>) measured;
        figures.computeIfAbsent(name, each -> new ArrayList<>())
                .add(new double[] {((Number) numbers.get(0)).doubleValue(), ((Number) numbers.get(1)).doubleValue()});
    }

    private static double quantile(List<double[]> all, int column, double q) {
        return all.stream()
                .mapToDouble(each -> each[column])
                .sorted()
                .skip(Math.min(all.size() - 1, (long) (all.size() * q)))
                .findFirst()
                .orElse(0);
    }

    private void publishWorkspaces(LocalServer server, String documents) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", server.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                sent.add(producer.send(new ProducerRecord<>("strake.document-changes", "site-" + i, documents)));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofSeconds(2))
                .untilAsserted(() -> {
                    browser.open("#/");
                    browser.awaitText(".summary", "10,000 workspaces");
                });
    }

    private static void publish(LocalServer server, String workspace, Path path) throws Exception {
        run(0, "publish", "-w", workspace, "--wait", "--bootstrap-servers", server.bootstrapServers(), path.toString());
    }
}
