package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Passes on a limited number of bytes, and fails at the next byte, before a caller has to store it. */
final class BoundedInputStream extends FilterInputStream {

    private final Address address;
    private final long most;
    private long left;

    /** @param address the source of the bytes, for the message */
    BoundedInputStream(InputStream in, Address address, long most) {
        super(in);
        this.address = address;
        this.most = most;
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

    private void count(int read) throws FetchException {
        left -= read;
        if (left < 0) {
            throw new FetchException(
                    FetchException.Code.TOO_LARGE, "%s: has more than %,d bytes".formatted(address, most));
        }
    }
}
