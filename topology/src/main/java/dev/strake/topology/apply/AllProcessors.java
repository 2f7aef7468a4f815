package dev.strake.topology.apply;

import dev.strake.engine.render.Workers;
import java.util.List;
import java.util.function.Function;

/**
 * The stream thread and, for work that is worth it, the JVM's common pool: one thread fewer than there are processors,
 * shared by all tasks and stream threads.
 */
final class AllProcessors implements Workers {

    /** To look at a document takes some 20 µs: for fewer, handing them over costs what it brings. */
    private static final int WORTH_SHARING = 32;

    @Override
    public <T, R> List<R> each(List<T> items, Function<T, R> work) {
        return items.size() < WORTH_SHARING
                ? ONE.each(items, work)
                : items.parallelStream().map(work).toList();
    }
}
