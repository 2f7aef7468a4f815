package dev.strake.checks.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The total usage of all instances at one moment, in bytes: heap after a collection, stores by their own metrics, files
 * of the state folders; and the number of entries in the stores.
 */
record Usage(double heap, double stores, double entries, double files) {

    static Usage of(List<Instance> instances) {
        return instances.stream().map(Usage::of).reduce(new Usage(0, 0, 0, 0), Usage::plus);
    }

    private static Usage of(Instance instance) {
        instance.collectGarbage();
        List<String> metrics = metrics(instance);
        return new Usage(
                sum(metrics, "jvm_memory_used_bytes{area=\"heap\""),
                sum(metrics, "kafka_stream_state_total_sst_files_size"),
                sum(metrics, "kafka_stream_state_estimate_num_keys"),
                sizeOf(instance.state()));
    }

    private static List<String> metrics(Instance instance) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(instance.url() + "/metrics")).build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double sum(List<String> metrics, String name) {
        List<String> lines =
                metrics.stream().filter(line -> line.startsWith(name)).toList();
        if (lines.isEmpty()) {
            throw new IllegalStateException("no metric " + name);
        }
        return lines.stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static double sizeOf(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToDouble(Usage::size).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0; // RocksDB has deleted it
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Usage plus(Usage other) {
        return new Usage(heap + other.heap, stores + other.stores, entries + other.entries, files + other.files);
    }

    /** The mean of several measurements. */
    static Usage mean(List<Usage> all) {
        Usage sum = all.stream().reduce(new Usage(0, 0, 0, 0), Usage::plus);
        int count = all.size();
        return new Usage(sum.heap / count, sum.stores / count, sum.entries / count, sum.files / count);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "heap %.1f MB, stores %.1f MB with %,.0f entries, files %.1f MB",
                heap / 1e6,
                stores / 1e6,
                entries,
                files / 1e6);
    }
}
