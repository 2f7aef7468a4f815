package dev.strake.checks.bench.stream;

import java.util.function.IntFunction;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A topology under test, which yields one record for each input record.
 *
 * @param application the prefix of its Streams application id, different from those of others running at the same time
 * @param output the output topic
 * @param idHeader the header of an output record with the id of its input record
 * @param source creates new records by number; no id is used twice
 */
record Subject(String name, String application, String output, String idHeader, Source source) {

    /** Creates records to send. */
    interface Source {
        IntFunction<ProducerRecord<byte[], byte[]>> records(int count);
    }

    IntFunction<ProducerRecord<byte[], byte[]>> records(int count) {
        return source.records(count);
    }
}
