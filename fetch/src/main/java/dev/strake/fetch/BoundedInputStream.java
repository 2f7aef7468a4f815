package dev.strake.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/** Lets a number of bytes through, and fails with the next one: before anybody has a place for it. */
final class BoundedInputStream extends FilterInputStream {

    private final LongConsumer counted;
    private long left;

    /** More came than may. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("more bytes than allowed");
        }
    }

    BoundedInputStream(InputStream in, long most) {
        this(in, most, bytes -> {});
    }

    /**
     * @param counted hears of each piece how many bytes it has
     */
    BoundedInputStream(InputStream in, long most, LongConsumer counted) {
        super(in);
        this.left = most;
        this.counted = counted;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, (int) Math.min(length, left + 1));
        count(Math.max(0, read));
        return read;
    }

    private void count(int read) throws IOException {
        left -= read;
        counted.accept(read);
        if (left < 0) {
            throw new TooLongException();
        }
    }
}
