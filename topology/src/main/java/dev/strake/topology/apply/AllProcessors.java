package dev.strake.topology.apply;

import dev.strake.engine.render.Workers;
import java.util.List;
import java.util.function.Function;

/**
 * The stream thread and, for work that is worth it, the JVM's common pool: one thread fewer than there are processors,
 * shared by all tasks and stream threads.
 */
final class AllProcessors implements Workers {

    /** Looking at a document takes about 20 µs: handing fewer than this to other threads costs what it saves. */
    private static final int WORTH_SHARING = 32;

    @Override
    public <T, R> List<R> each(List<T> items, Function<T, R> work) {
        return items.size() < WORTH_SHARING
                ? ONE.each(items, work)
                : items.parallelStream().map(work).toList();
    }
}
