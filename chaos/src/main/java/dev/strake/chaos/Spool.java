package dev.strake.chaos;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A temporary file with the values and headers of records, so that a history may be larger than the heap. A record that
 * was kept reads them each time it is asked. Large values that are equal are in memory, once.
 */
final class Spool {

    private static final Headers NONE = new RecordHeaders();

    private final SharedValues large = new SharedValues();
    private final FileChannel file;
    private long end;

    /** Opens a file that goes with the process. */
    Spool() {
        try {
            Path path = Files.createTempFile("strake-history", ".spool");
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same record, of which only place, time and key stay in memory. */
    ConsumerRecord<byte[], byte[]> keep(ConsumerRecord<byte[], byte[]> record) {
        try {
            byte[] value = record.value();
            boolean isLarge = SharedValues.isLarge(value);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            write(record.headers(), new DataOutputStream(bytes));
            int headers = bytes.size();
            if (value != null && !isLarge) {
                bytes.writeBytes(value);
            }
            long place = end;
            ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
            while (buffer.hasRemaining()) {
                end += file.write(buffer, end);
            }
            return new Spooled(record, place, headers, isLarge ? large.of(value) : null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Headers headers, DataOutputStream out) throws IOException {
        for (Header header : headers) {
            out.writeUTF(header.key());
            byte[] value = header.value();
            out.writeInt(value == null ? -1 : value.length);
            out.write(value == null ? new byte[0] : value);
        }
    }

    private byte[] read(long place, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        try {
            while (buffer.hasRemaining()) {
                if (file.read(buffer, place + buffer.position()) < 0) {
                    throw new EOFException("the spool ends before " + (place + length));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffer.array();
    }

    /** A record whose headers, and then whose value, are in the file. */
    private final class Spooled extends ConsumerRecord<byte[], byte[]> {

        private final long place;
        private final int headerBytes;
        private final byte[] largeValue;

        Spooled(ConsumerRecord<byte[], byte[]> record, long place, int headerBytes, byte[] largeValue) {
            super(
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.timestampType(),
                    record.key() == null ? -1 : record.key().length,
                    record.value() == null ? -1 : record.value().length,
                    record.key(),
                    null,
                    NONE,
                    Optional.empty());
            this.place = place;
            this.headerBytes = headerBytes;
            this.largeValue = largeValue;
        }

        @Override
        public byte[] value() {
            if (largeValue != null || serializedValueSize() < 0) {
                return largeValue;
            }
            return read(place + headerBytes, serializedValueSize());
        }

        @Override
        public Headers headers() {
            Headers headers = new RecordHeaders();
            try {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(read(place, headerBytes)));
                while (in.available() > 0) {
                    String name = in.readUTF();
                    int length = in.readInt();
                    headers.add(name, length < 0 ? null : in.readNBytes(length));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return headers;
        }
    }
}
