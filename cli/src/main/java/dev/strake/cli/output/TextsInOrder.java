package dev.strake.cli.output;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes many values into texts on all processors and passes the texts on in order. Nobody waits: while the caller's thread passes
 * some on, the JVM's common pool makes the next ones, and the caller helps where they are not ready. At any time it holds a
 * few hundred.
 */
final class TextsInOrder {

    static final int AT_ONCE = 512;

    /** Values of one piece of work: it takes about a millisecond. */
    private static final int PIECE = 32;

    private TextsInOrder() {}

    /** A piece of work, done by whoever comes first. */
    private static final class Piece<T> {

        private final List<T> values;
        private final Function<? super T, String> text;
        private final AtomicBoolean isTaken = new AtomicBoolean();
        private final ForkJoinTask<?> task = ForkJoinTask.adapt(this::takeUp);
        private volatile List<String> texts;

        Piece(List<T> values, Function<? super T, String> text) {
            this.values = values;
            this.text = text;
        }

        private boolean takeUp() {
            boolean isMine = isTaken.compareAndSet(false, true);
            if (isMine) {
                texts = values.stream().<String>map(text).toList();
            }
            return isMine;
        }
    }

    /**
     * Makes and passes on.
     *
     * @param text makes the text of one value; several threads call it
     * @param each gets the texts, in the thread of the caller
     */
    static <T> void of(List<T> values, Function<? super T, String> text, Consumer<String> each) {
        Queue<Piece<T>> begun = new ArrayDeque<>();
        int next = 0;
        while (next < values.size() || !begun.isEmpty()) {
            while (next < values.size() && begun.size() < AT_ONCE / PIECE) {
                int end = Math.min(values.size(), next + PIECE);
                Piece<T> piece = new Piece<>(values.subList(next, end), text);
                begun.add(piece);
                piece.task.fork();
                next = end;
            }
            Piece<T> first = begun.remove();
            first.takeUp();
            while (first.texts == null) {
                if (begun.stream().noneMatch(Piece::takeUp)) {
                    first.task.join(); // another thread makes it
                }
            }
            first.texts.forEach(each);
        }
    }
}
