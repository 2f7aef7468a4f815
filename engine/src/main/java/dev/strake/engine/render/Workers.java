package dev.strake.engine.render;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs independent tasks. The engine has no threads of its own: its caller may provide threads for tasks that
 * can run in parallel.
 */
public interface Workers {

    /** Runs all tasks in the calling thread. */
    Workers ONE = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            List<R> results = new ArrayList<>(items.size());
            for (T item : items) {
                results.add(work.apply(item));
            }
            return results;
        }
    };

    /**
     * Applies a function to each item, in any order and possibly in several threads. Returns when all items are done.
     *
     * @param work must not depend on the results of other items; this method rethrows its exceptions
     * @return the results in the order of the items
     */
    <T, R> List<R> each(List<T> items, Function<T, R> work);
}
