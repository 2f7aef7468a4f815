package dev.strake.server.pipeline;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.Options;

/**
 * Keeps those who read figures of RocksDB away from stores that Kafka Streams is closing. Streams does not: its gauges ask
 * a database that another thread may free at that moment, which ends the process.
 *
 * <pre>
 *  Streams closes a store   ── closing() ──── gauges go ── database freed ── options freed ──►
 *  figures of all stores      waits for readers │        there are none          │ there are some
 * </pre>
 *
 * The options are what Streams frees last, so they tell that it is done.
 */
public final class OpenStores {

    private static final ReadWriteLock LOCK = new ReentrantReadWriteLock();
    private static final Set<Options> CLOSING = ConcurrentHashMap.newKeySet();

    private OpenStores() {}

    /** Told before a store is closed; returns when nobody reads any more. */
    static void closing(Options options) {
        LOCK.writeLock().lock();
        try {
            CLOSING.add(options);
        } finally {
            LOCK.writeLock().unlock();
        }
    }

    /**
     * Reads figures of stores. None is closed meanwhile, so this has to be quick.
     *
     * @return empty while a store is being closed
     */
    public static <T> Optional<T> read(Supplier<T> figures) {
        LOCK.readLock().lock();
        try {
            CLOSING.removeIf(options -> !options.isOwningHandle());
            return CLOSING.isEmpty() ? Optional.of(figures.get()) : Optional.empty();
        } finally {
            LOCK.readLock().unlock();
        }
    }
}
