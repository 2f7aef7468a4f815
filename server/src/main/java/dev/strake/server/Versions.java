package dev.strake.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The versions of the running software.
 *
 * @param strake from the jar; {@code development} if the classes are not packaged
 * @param kafka of the clients and of Kafka Streams
 * @param java of the JVM
 */
public record Versions(String strake, String kafka, String java) {

    public static final Versions HERE =
            new Versions(ofJar(), ofKafka(), Runtime.version().toString());

    SortedMap<String, String> byName() {
        return new TreeMap<>(Map.of("engine", strake, "kafka", kafka));
    }

    private static String ofJar() {
        String version = Versions.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static String ofKafka() {
        Properties properties = new Properties();
        try (InputStream file = KafkaStreams.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
