package dev.strake.fetch;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;

/** A partition of the topics while this fetcher has it. */
final class Partition {

    final Resources resources;

    /** Where the topics ended when the partition was assigned. */
    final Map<TopicPartition, Long> ends = new HashMap<>();

    /** Attempts that are under way. */
    final AtomicInteger running = new AtomicInteger();

    boolean isLoaded;

    /** Whether changes may still be published: nobody else has the partition. */
    volatile boolean isOurs = true;

    Partition(Resources resources) {
        this.resources = resources;
    }
}
