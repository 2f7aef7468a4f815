package dev.strake.engine.pattern;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Compiles a pattern on a stack that fits. RE2 writes {@code a{0,3}} as {@code (?:a(?:a(?:a)?)?)?}, and calls itself for
 * what is inside. A thousand levels take most of the mebibyte that a thread has, and the caller may be deep in a schema.
 * So large patterns are compiled on a thread of their own.
 */
final class Compilation {

    /** In parts. So many inside one another take a quarter of a mebibyte at most. */
    private static final int MOST_ON_THE_CALLERS_STACK = 250;

    /** The largest pattern takes a tenth of it. Memory that is not used is not allocated. */
    private static final long STACK_BYTES = 8L << 20;

    private Compilation() {}

    /**
     * Compiles a pattern.
     *
     * @param re2 in RE2's notation
     * @param parts as {@link ProgramSize} counts them
     * @throws PatternSyntaxException if it is no pattern
     */
    static Pattern compile(String re2, int parts) {
        return parts <= MOST_ON_THE_CALLERS_STACK ? Pattern.compile(re2) : onOwnStack(re2);
    }

    private static Pattern onOwnStack(String re2) {
        FutureTask<Pattern> task = new FutureTask<>(() -> Pattern.compile(re2));
        new Thread(null, task, "pattern", STACK_BYTES).start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true; // it takes milliseconds, so the caller may as well have the result
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof PatternSyntaxException refused
                            ? refused
                            : new IllegalStateException("cannot compile a pattern", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
