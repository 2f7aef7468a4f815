package dev.strake.server.pipeline;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;

/**
 * The most bytes that a packed batch may unpack to, and that its codec needs for it, told by what lies between its packed blocks.
 * Nothing is unpacked for it.
 *
 * <pre>
 *  zstd    magic │ descriptor  window, dictionary, size │ last, kind, length  block │ ...       a block unpacks to 128 KiB at most
 *  lz4     magic │ flags  largest block  (size)  sum    │ length  block │ ... │ 0               to the largest block, as told
 *  snappy  magic │ versions                             │ length  (unpacked length ...) │ ...   to the length that it begins with
 *          or one block alone
 *  gzip    told by nothing: two bits may stand for 258 bytes
 * </pre>
 *
 * <p>Most codecs unpack piece by piece. Zstd holds the last pieces, as many as its producer has decided: 2 MiB are usual, 128 MiB
 * are possible. Snappy takes each block onto the heap as a whole.
 *
 * <p>Sources: RFC 8878 (zstd), RFC 1951 (what gzip packs with), the frame format of LZ4, and the stream format of snappy-java.
 *
 * @param bytes that all of it has unpacked
 * @param held bytes that the codec holds of it at most, on the heap or beside it; 0 where that is less than 8 MiB anyway
 */
record UnpackedBound(long bytes, long held) {

    /** What lies there is not what a producer of Kafka writes. */
    static final UnpackedBound UNKNOWN = new UnpackedBound(Long.MAX_VALUE, Long.MAX_VALUE);

    private static final int GZIP_RATIO = 1032;

    private static final int ZSTD = 0xFD2FB528;
    private static final int ZSTD_SKIPPED = 0x184D2A50;
    private static final int ZSTD_BLOCK = 128 << 10;

    private static final int LZ4 = 0x184D2204;
    private static final int LZ4_RATIO = 255;

    private static final long SNAPPY = 0x82534E4150505900L;
    private static final int LONGEST_VARINT = 5;

    /* Of a codec that holds little. */
    private UnpackedBound(long bytes) {
        this(bytes, 0);
    }

    /** Of a batch. */
    static UnpackedBound of(DefaultRecordBatch batch) {
        ByteBuffer bytes = ByteBuffer.allocate(batch.sizeInBytes());
        batch.writeTo(bytes);
        return of(batch.compressionType(), bytes.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD));
    }

    /** Of the packed records of a batch, without the header of the batch. */
    static UnpackedBound of(CompressionType codec, ByteBuffer packed) {
        ByteBuffer in = packed.slice();
        try {
            return switch (codec) {
                case NONE -> new UnpackedBound(in.remaining());
                case GZIP -> new UnpackedBound((long) in.remaining() * GZIP_RATIO);
                case SNAPPY -> snappy(in);
                case LZ4 -> lz4(in.order(ByteOrder.LITTLE_ENDIAN));
                case ZSTD -> zstd(in.order(ByteOrder.LITTLE_ENDIAN));
            };
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    private static UnpackedBound zstd(ByteBuffer in) {
        long bytes = 0;
        long held = 0;
        while (in.hasRemaining()) {
            int magic = in.getInt();
            if (magic == ZSTD) {
                UnpackedBound frame = zstdFrame(in);
                bytes += frame.bytes;
                held = Math.max(held, frame.held);
            } else if ((magic & ~0xf) == ZSTD_SKIPPED) {
                skip(in, Integer.toUnsignedLong(in.getInt()));
            } else {
                return UNKNOWN;
            }
        }
        return new UnpackedBound(bytes, held);
    }

    private static UnpackedBound zstdFrame(ByteBuffer in) {
        int descriptor = in.get();
        boolean hasWindow = (descriptor & 0x20) == 0;
        int dictionaryBytes = (1 << (descriptor & 3)) >> 1;
        int sizeCode = (descriptor >>> 6) & 3;
        int sizeBytes = sizeCode == 0 && hasWindow ? 0 : 1 << sizeCode;
        long window = hasWindow ? zstdWindow(in.get()) : Long.MAX_VALUE;
        skip(in, dictionaryBytes + sizeBytes);
        long bytes = 0;
        boolean isLast = false;
        while (!isLast) {
            int header = (in.get() & 0xff) | ((in.get() & 0xff) << 8) | ((in.get() & 0xff) << 16);
            isLast = (header & 1) == 1;
            int length = header >>> 3;
            switch ((header >>> 1) & 3) {
                case 0 -> { // as it is
                    bytes += length;
                    skip(in, length);
                }
                case 1 -> { // one byte, so many times
                    bytes += length;
                    skip(in, 1);
                }
                case 2 -> {
                    bytes += ZSTD_BLOCK;
                    skip(in, length);
                }
                default -> throw new IllegalArgumentException("there is no such block");
            }
        }
        skip(in, (descriptor & 4) == 0 ? 0 : 4); // a sum
        return new UnpackedBound(bytes, Math.min(window, bytes));
    }

    /* A power of two, and so many eighths of it. */
    private static long zstdWindow(byte descriptor) {
        long power = 1L << (10 + ((descriptor & 0xff) >>> 3));
        return power + power / 8 * (descriptor & 7);
    }

    /* Kafka reads one frame. */
    private static UnpackedBound lz4(ByteBuffer in) {
        if (in.getInt() != LZ4) {
            return UNKNOWN;
        }
        int flags = in.get();
        int largest = 1 << (8 + 2 * ((in.get() >>> 4) & 7));
        skip(in, (flags & 0x08) == 0 ? 1 : 9); // the size of all, a sum
        int sumBytes = (flags & 0x10) == 0 ? 0 : 4;
        long bytes = 0;
        for (int length = in.getInt(); length != 0; length = in.getInt()) {
            int packed = length & Integer.MAX_VALUE;
            bytes += length < 0 ? packed : Math.min(largest, (long) packed * LZ4_RATIO);
            skip(in, (long) packed + sumBytes);
        }
        return new UnpackedBound(bytes);
    }

    /* Where its stream does not begin as snappy-java begins it, it is one block, as other clients of Kafka write it. */
    private static UnpackedBound snappy(ByteBuffer in) {
        if (in.remaining() < 16 || in.getLong(0) != SNAPPY) {
            long only = in.hasRemaining() ? varint(in) : 0;
            return new UnpackedBound(only, only);
        }
        skip(in, 16);
        long bytes = 0;
        long longest = 0;
        while (in.remaining() >= Integer.BYTES) {
            int length = in.getInt();
            if (length == (int) (SNAPPY >>> Integer.SIZE)) { // one more stream
                skip(in, 12);
                continue;
            }
            int begin = in.position();
            long block = varint(in);
            bytes += block;
            longest = Math.max(longest, block);
            if (length < in.position() - begin) {
                return UNKNOWN;
            }
            skip(in, length - (in.position() - begin));
        }
        return new UnpackedBound(bytes, longest);
    }

    private static long varint(ByteBuffer in) {
        long number = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            int each = in.get();
            number |= (each & 0x7fL) << (7 * i);
            if (each >= 0) {
                break;
            }
        }
        return number;
    }

    private static void skip(ByteBuffer in, long bytes) {
        if (bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + (int) bytes);
    }
}
