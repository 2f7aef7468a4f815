package dev.strake.checks.bench.stream;

import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Something that takes records and gives one for each.
 *
 * @param application what the id of its Streams application begins with, and of no other that runs at the same time
 * @param output the topic in which they arrive
 * @param idHeader the header of what arrives that has the id of what was sent
 * @param source makes so many new records, each by its number; no id is ever used twice
 */
record Subject(String name, String application, String output, String idHeader, Source source) {

    /** Makes records to send. */
    interface Source {
        IntFunction<ProducerRecord<byte[], byte[]>> records(int count);
    }

    IntFunction<ProducerRecord<byte[], byte[]>> records(int count) {
        return source.records(count);
    }
}
