package dev.strake.engine.pattern;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the instructions to which RE2 unrolls a pattern. It counts while the pattern is read, before anything is
 * unrolled. The sizes of neighbouring parts add up; a counted repetition multiplies the size of the repeated part. The
 * count is never too low, but may be too high.
 */
final class ProgramSize {

    /** The maximum. In the worst case, matching takes as many steps for each character, and as many stack frames. */
    private static final int MOST = 5_000;

    private final Deque<Long> outer = new ArrayDeque<>();
    private long before; // instructions in the open group, without the last part
    private long last; // instructions of the last part, which a repetition would repeat

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
     * @param own the instructions of the group itself, without its content
     */
    void open(int own) {
        outer.push(before + last);
        before = own;
        last = 0;
    }

    /** Closes the innermost group. A bracket that closes no group is ignored here: RE2 rejects it. */
    void close() {
        long group = before + last;
        before = outer.isEmpty() ? 0 : outer.pop();
        last = 0;
        add(group);
    }

    void alternative() {
        before += last + 1;
        last = 0;
        check();
    }

    /** A repetition of the last part. */
    void repeat(long times) {
        last = (last + 1) * Math.max(1, times);
        check();
    }

    private void check() {
        if (before + last > MOST) {
            throw new IllegalArgumentException(
                    "the pattern repeats too much: with its repetitions written out, it has more than " + MOST
                            + " parts (nested repetitions multiply)");
        }
    }

    /** Ends the pattern: also checks groups that were never closed. */
    void end() {
        while (!outer.isEmpty()) {
            close();
        }
    }
}
