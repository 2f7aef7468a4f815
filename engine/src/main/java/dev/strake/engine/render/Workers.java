package dev.strake.engine.render;

import java.util.List;
import java.util.function.Function;

/**
 * Who does work whose parts do not depend on one another. The engine has no threads of its own: it says what can be
 * done side by side, and whoever renders may lend it some.
 */
public interface Workers {

    /** The calling thread alone. */
    Workers ONE = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            return items.stream().map(work).toList();
        }
    };

    /**
     * Does the same work on each item, in any order and by several threads if there are some, and returns when all is
     * done.
     *
     * @param work depends on no other item; what it throws is thrown by this
     * @return the results in the order of the items
     */
    <T, R> List<R> each(List<T> items, Function<T, R> work);
}
