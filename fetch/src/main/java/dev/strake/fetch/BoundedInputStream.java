package dev.strake.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Lets a number of bytes through, and fails with the next one: before anybody has a place for it. */
final class BoundedInputStream extends FilterInputStream {

    private long left;

    /** More came than may. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("more bytes than allowed");
        }
    }

    BoundedInputStream(InputStream in, long most) {
        super(in);
        this.left = most;
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
        if (left < 0) {
            throw new TooLongException();
        }
    }
}
