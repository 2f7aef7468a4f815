package dev.strake.engine.pattern;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the instructions to which RE2 unrolls a pattern, while the pattern is read and before anything is unrolled:
 * what stands side by side adds up, a counted repetition takes what it repeats so many times. It counts too many rather
 * than too few.
 */
final class ProgramSize {

    /** Matching takes so many steps for each character at the worst, and as many frames of the stack. */
    private static final int MOST = 5_000;

    private final Deque<Long> outer = new ArrayDeque<>();
    private long before; // in the group that is open
    private long last; // what a repetition that follows repeats

    /** A character, a class of characters, an anchor. */
    void add() {
        add(1);
    }

    private void add(long instructions) {
        before += last;
        last = instructions;
        check();
    }

    /**
     * Opens a group.
     *
     * @param own what it takes beside what is in it
     */
    void open(int own) {
        outer.push(before + last);
        before = own;
        last = 0;
    }

    /** Closes the innermost group; a bracket that closes none is for RE2 to refuse. */
    void close() {
        long group = before + last;
        before = outer.isEmpty() ? 0 : outer.pop();
        last = 0;
        add(group);
    }

    /** The end of an alternative. */
    void alternative() {
        before += last + 1;
        last = 0;
        check();
    }

    /** A repetition of what came last. */
    void repeat(long times) {
        last = (last + 1) * Math.max(1, times);
        check();
    }

    private void check() {
        if (before + last > MOST) {
            throw new IllegalArgumentException("the pattern repeats too much: written without counts it has more than "
                    + MOST + " parts (repetitions inside one another multiply)");
        }
    }

    /** Checks groups that were never closed, too. */
    void end() {
        while (!outer.isEmpty()) {
            close();
        }
    }
}
