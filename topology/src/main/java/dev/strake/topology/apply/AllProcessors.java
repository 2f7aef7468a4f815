package dev.strake.topology.apply;

import dev.strake.engine.render.Workers;
import java.util.List;
import java.util.function.Function;

/**
 * Workers that use the stream thread and, if there is enough work, the JVM's common pool. All tasks and stream threads
 * share that pool, which has one thread fewer than there are processors.
 */
final class AllProcessors implements Workers {

    /** Work on one document takes about 20 µs. For fewer documents, other threads would cost as much as they save. */
    private static final int WORTH_SHARING = 32;

    @Override
    public <T, R> List<R> each(List<T> items, Function<T, R> work) {
        return items.size() < WORTH_SHARING
                ? ONE.each(items, work)
                : items.parallelStream().map(work).toList();
    }
}
