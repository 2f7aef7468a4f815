package dev.strake.engine.render;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs independent tasks. The engine has no threads of its own: it says what may run in parallel, and its caller may
 * provide threads.
 */
public interface Workers {

    /** The calling thread alone. */
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
     * Does the same work on each item, in any order and possibly by several threads, and returns when all of it is done.
     *
     * @param work does not depend on other items; its exceptions are thrown by this method
     * @return the results in the order of the items
     */
    <T, R> List<R> each(List<T> items, Function<T, R> work);
}
