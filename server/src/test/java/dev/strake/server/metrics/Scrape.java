package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A response of {@code /metrics}, parsed as Prometheus does. */
record Scrape(String text, Map<String, Double> samples, SortedMap<String, Family> families) {

    /** A metric with its type and help text. */
    record Family(String name, String type, String help) {}

    static Scrape of(String url) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/metrics"))
                .header("Accept", "text/plain")
                .build();
        try {
            return read(HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Scrape read(String text) {
        Map<String, Double> samples = new LinkedHashMap<>();
        SortedMap<String, Family> families = new TreeMap<>();
        Map<String, String> help = new TreeMap<>();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                help.put(words[2], words.length < 4 ? "" : words[3]);
            } else if (line.startsWith("# TYPE ")) {
                families.put(words[2], new Family(words[2], words[3], help.getOrDefault(words[2], "")));
            } else if (!line.startsWith("#")) {
                int space = line.indexOf("} ") < 0 ? line.indexOf(' ') : line.indexOf("} ") + 1;
                samples.put(
                        line.substring(0, space),
                        Double.valueOf(line.substring(space + 1).split(" ", 2)[0]));
            }
        }
        return new Scrape(text, samples, families);
    }

    /** Returns a value; labels as in the text, {@code {status="rendered"}}. */
    double value(String sample) {
        Double value = samples.get(sample);
        if (value == null) {
            String name = sample.split("\\{", 2)[0];
            List<String> others = samples.keySet().stream()
                    .filter(each -> each.startsWith(name))
                    .toList();
            throw new AssertionError("no sample " + sample + ", but " + others);
        }
        return value;
    }

    /** Compares samples with lines as in the text; other samples may be there too. */
    void assertShows(String lines) {
        assertThat(lines.lines()
                        .map(line -> line.startsWith("#") ? line : shown(line.substring(0, line.lastIndexOf(' '))))
                        .toList())
                .isEqualTo(lines.lines().toList());
    }

    private String shown(String sample) {
        return sample + " " + value(sample);
    }

    /** Returns the labels of all samples with this name. */
    List<String> labels(String name) {
        return samples.keySet().stream()
                .filter(each -> each.startsWith(name + "{"))
                .map(each -> each.substring(name.length()))
                .toList();
    }
}
