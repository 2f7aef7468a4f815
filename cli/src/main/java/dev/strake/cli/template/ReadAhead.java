package dev.strake.cli.template;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Reads what somebody will ask for, and what that leads to, on other processors. The one who asks reads, too: whatever
 * nobody has begun. So the results are the same with any number of processors, also their exceptions.
 *
 * @param <W> what is wanted
 * @param <R> what was read
 */
final class ReadAhead<W, R> {

    private final Function<W, String> key;
    private final Function<W, R> read;
    private final Function<R, List<W>> next;
    private final int most;
    private final Map<String, FutureTask<R>> begun = new ConcurrentHashMap<>();

    /**
     * @param key what is the same for things that are read once
     * @param read may be called by several threads
     * @param next what a result leads to
     * @param most no more than these are read before somebody asks for them
     */
    ReadAhead(Function<W, String> key, Function<W, R> read, Function<R, List<W>> next, int most) {
        this.key = key;
        this.read = read;
        this.next = next;
        this.most = most;
    }

    /** Has it read by another processor, if one is free. */
    void begin(W wanted) {
        if (begun.size() < most && !begun.containsKey(key.apply(wanted))) {
            ForkJoinPool.commonPool().execute(task(wanted));
        }
    }

    /** The result; throws what reading it threw. */
    R get(W wanted) {
        FutureTask<R> task = task(wanted);
        task.run(); // does nothing if another thread has begun it
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause()); // an error of the JVM
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a file was read", e);
        }
    }

    private FutureTask<R> task(W wanted) {
        return begun.computeIfAbsent(
                key.apply(wanted),
                name -> new FutureTask<>(() -> {
                    R result = read.apply(wanted);
                    next.apply(result).forEach(this::begin);
                    return result;
                }));
    }
}
