package dev.strake.topology.apply;

import dev.strake.engine.render.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Function;

/**
 * Workers that use the calling thread and, if there is enough work, the JVM's common pool. All callers share that pool,
 * which has one thread fewer than there are processors.
 *
 * @param worthSharing the number of items that is worth the cost of another thread
 */
public record AllProcessors(int worthSharing) implements Workers {

    /** For documents: processing one takes about 20 µs. */
    public static final AllProcessors ON_DOCUMENTS = new AllProcessors(32);

    /** The number of shares for each thread; small shares keep threads from waiting long for a slower one. */
    private static final int SHARES = 8;

    @Override
    public <T, R> List<R> each(List<T> items, Function<T, R> work) {
        if (items.size() < worthSharing) {
            return ONE.each(items, work);
        }
        int shares = Math.min(items.size(), SHARES * (1 + ForkJoinPool.getCommonPoolParallelism()));
        Object[] results = new Object[items.size()];
        List<ForkJoinTask<?>> tasks = new ArrayList<>();
        for (int share = 0; share < shares; share++) {
            int from = (int) ((long) items.size() * share / shares);
            int to = (int) ((long) items.size() * (share + 1) / shares);
            tasks.add(ForkJoinTask.adapt(() -> {
                for (int i = from; i < to; i++) {
                    results[i] = work.apply(items.get(i));
                }
            }));
        }
        ForkJoinTask.invokeAll(tasks);
        @SuppressWarnings("unchecked") // only results of the work are in it
        List<R> list = (List<R>) Arrays.asList(results);
        return list;
    }
}
