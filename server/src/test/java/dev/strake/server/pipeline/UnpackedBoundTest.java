package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

class UnpackedBoundTest {

    private static final int BLOCK = 128 << 10;

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldBeNoLessThanWhatKafkaUnpacks(CompressionType codec) throws IOException {
        Random random = new Random(codec.id);
        for (int round = 0; round < 60; round++) {
            ByteBuffer packed = pack(codec, random);
            long unpacked = unpack(codec, packed);
            assertThat(UnpackedBound.of(codec, packed).bytes()).isGreaterThanOrEqualTo(unpacked);
        }
    }

    /* What is written piece by piece is packed in blocks, each of which may be full. */
    @ParameterizedTest
    @EnumSource(value = CompressionType.class, names = "GZIP", mode = EnumSource.Mode.EXCLUDE)
    void shouldBeNearWhatKafkaUnpacks(CompressionType codec) throws IOException {
        Random random = new Random(codec.id);
        for (int round = 0; round < 60; round++) {
            ByteBuffer packed = pack(codec, random);
            assertThat(UnpackedBound.of(codec, packed).bytes())
                    .isLessThanOrEqualTo(2 * unpack(codec, packed) + 2 * BLOCK);
        }
    }

    @ParameterizedTest
    @EnumSource(value = CompressionType.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void shouldNotChangeWhereItLooks(CompressionType codec) throws IOException {
        ByteBuffer packed = pack(codec, new Random(1));
        ByteBuffer within = ByteBuffer.allocate(packed.limit() + 7).position(5).put(packed.duplicate());
        within.limit(within.position()).position(5);
        assertThat(UnpackedBound.of(codec, within)).isEqualTo(UnpackedBound.of(codec, packed));
        assertThat(within.position()).isEqualTo(5);
        assertThat(unpack(codec, within)).isPositive();
    }

    /* A reader has unpacked what lies before the place where something is missing. */
    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldBeNoLessWhereTheEndIsMissing(CompressionType codec) throws IOException {
        Random random = new Random(codec.id);
        for (int round = 0; round < 100; round++) {
            ByteBuffer packed = pack(codec, random);
            packed.limit(random.nextInt(1, packed.limit()));
            assertThat(UnpackedBound.of(codec, packed).bytes()).isGreaterThanOrEqualTo(unpackToEnd(codec, packed));
        }
    }

    private static long unpackToEnd(CompressionType codec, ByteBuffer packed) {
        long bytes = 0;
        try (InputStream in = stream(codec, packed)) {
            while (in.read() >= 0) {
                bytes++;
            }
        } catch (IOException | RuntimeException e) {
            return bytes;
        }
        return bytes;
    }

    @Test
    void shouldCountBlocksOfEachKindInAllFramesOfZstd() {
        byte[] frames = {
            0x52,
            0x2a,
            0x4d,
            0x18,
            2,
            0,
            0,
            0,
            9,
            9, // is passed over
            0x28,
            (byte) 0xb5,
            0x2f,
            (byte) 0xfd,
            0x04,
            0x58, // a window and a sum
            0x18,
            0,
            0,
            7,
            7,
            7, // 3 bytes as they are
            0x02,
            0,
            8,
            32, // 1 << 16 blanks
            0x25,
            0,
            0,
            1,
            2,
            3,
            4, // packed, the last one
            1,
            2,
            3,
            4, // the sum
            0x28,
            (byte) 0xb5,
            0x2f,
            (byte) 0xfd,
            0x20,
            1, // the size in a byte, no window
            0x09,
            0,
            0,
            7, // a byte as it is, the last one
        };
        assertThat(UnpackedBound.of(CompressionType.ZSTD, ByteBuffer.wrap(frames)))
                .isEqualTo(new UnpackedBound(3 + (1 << 16) + BLOCK + 1, 3 + (1 << 16) + BLOCK));
        frames[22] |= 0x06; // a kind of block that there is not
        assertThat(UnpackedBound.of(CompressionType.ZSTD, ByteBuffer.wrap(frames)))
                .isEqualTo(UnpackedBound.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({"3, 2097152", "22, 134217728"})
    void shouldTellWhatZstdHoldsOfWhatItUnpacks(int level, long window) throws IOException {
        ByteBufferOutputStream packed = new ByteBufferOutputStream(512);
        try (OutputStream out =
                Compression.zstd().level(level).build().wrapForOutput(packed, RecordBatch.MAGIC_VALUE_V2)) {
            for (int i = 0; i < 70; i++) {
                out.write(new byte[1 << 20]);
            }
        }
        UnpackedBound bound = UnpackedBound.of(
                CompressionType.ZSTD, packed.buffer().duplicate().flip());
        assertThat(bound.bytes()).isBetween(70L << 20, 71L << 20);
        assertThat(bound.held()).isEqualTo(Math.min(window, bound.bytes()));
    }

    @Test
    void shouldReadOnInASecondStreamOfSnappy() throws IOException {
        ByteBuffer first = pack(CompressionType.SNAPPY, new Random(4));
        ByteBuffer second = pack(CompressionType.SNAPPY, new Random(5));
        ByteBuffer both = ByteBuffer.allocate(first.limit() + second.limit() + 2)
                .put(first)
                .put(second)
                .putShort((short) 1) // no length, so it is the end
                .flip();
        long unpacked = unpack(CompressionType.SNAPPY, both);
        assertThat(UnpackedBound.of(CompressionType.SNAPPY, both).bytes()).isEqualTo(unpacked);
    }

    @Test
    void shouldBelieveABlockOfSnappyThatTellsOfMoreThanThereIs() {
        ByteBuffer chunk = ByteBuffer.allocate(32)
                .putLong(0x82534E4150505900L)
                .putInt(1)
                .putInt(1)
                .putInt(6)
                .put(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07, 0})
                .flip();
        assertThat(UnpackedBound.of(CompressionType.SNAPPY, chunk))
                .isEqualTo(new UnpackedBound(Integer.MAX_VALUE, Integer.MAX_VALUE));
        chunk.putInt(16, -1);
        assertThat(UnpackedBound.of(CompressionType.SNAPPY, chunk)).isEqualTo(UnpackedBound.UNKNOWN);
    }

    @Test
    void shouldKnowABlockOfSnappyThatIsAlone() throws IOException {
        Random random = new Random(3);
        for (int round = 0; round < 60; round++) {
            byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 20))];
            random.nextBytes(bytes);
            ByteBuffer packed = ByteBuffer.wrap(Snappy.rawCompress(bytes, bytes.length));
            assertThat(UnpackedBound.of(CompressionType.SNAPPY, packed))
                    .isEqualTo(new UnpackedBound(bytes.length, bytes.length));
            assertThat(unpack(CompressionType.SNAPPY, packed)).isEqualTo(bytes.length);
        }
    }

    private static ByteBuffer pack(CompressionType codec, Random random) throws IOException {
        ByteBufferOutputStream packed = new ByteBufferOutputStream(512);
        try (OutputStream out = Compression.of(codec).build().wrapForOutput(packed, RecordBatch.MAGIC_VALUE_V2)) {
            int pieces = random.nextInt(1, 20);
            for (int i = 0; i < pieces; i++) {
                byte[] piece = new byte[1 << random.nextInt(18)];
                switch (random.nextInt(3)) {
                    case 0 -> random.nextBytes(piece);
                    case 1 -> {
                        for (int at = 0; at < piece.length; at++) {
                            piece[at] = (byte) random.nextInt('a', 'e');
                        }
                    }
                    default -> {} // the same byte all over
                }
                out.write(piece);
            }
        }
        return packed.buffer().duplicate().flip();
    }

    private static long unpack(CompressionType codec, ByteBuffer packed) throws IOException {
        try (InputStream in = stream(codec, packed)) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static InputStream stream(CompressionType codec, ByteBuffer packed) {
        return Compression.of(codec)
                .build()
                .wrapForInput(packed.duplicate(), RecordBatch.MAGIC_VALUE_V2, BufferSupplier.NO_CACHING);
    }
}
