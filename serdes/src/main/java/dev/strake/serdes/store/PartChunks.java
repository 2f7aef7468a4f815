package dev.strake.serdes.store;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.store.ChangesLayout.Arrived;
import dev.strake.serdes.store.ChangesLayout.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The entries of a part of a change in the store. A part may be larger than a record of a changelog should be, so it is cut
 * into chunks.
 *
 * <pre>
 *  part      up to a mebibyte                the part as it is
 *  part      larger                          mebibyte | mebibyte | ... | rest
 *  chunk     of several                      a frame of Zstandard, which tells its unpacked size
 * </pre>
 *
 * A record of some kilobytes may unpack to a part of 60 MB. As it is, the part would take as much of the disk, and other
 * changes would wait while it is written and sent to the changelog. Packed, it takes some kilobytes again.
 */
public final class PartChunks {

    /** The unpacked size of all chunks but the last, which is at most as large. */
    static final int BYTES = 1 << 20;

    /** A level of Zstandard that takes a tenth of a millisecond for a mebibyte of blanks, and less than one for other text. */
    private static final int LEVEL = 1;

    private PartChunks() {}

    /** Cuts a part into its chunks, of which there is at least one. */
    public static List<byte[]> of(byte[] part) {
        if (part.length <= BYTES) {
            return List.of(part);
        }
        List<byte[]> chunks = new ArrayList<>();
        byte[] packed = new byte[(int) Zstd.compressBound(BYTES)];
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            zstd.setLevel(LEVEL);
            for (int from = 0; from < part.length; from += BYTES) {
                int bytes = Math.min(part.length - from, BYTES);
                int length = zstd.compressByteArray(packed, 0, packed.length, part, from, bytes);
                chunks.add(Arrays.copyOf(packed, length));
            }
        }
        return chunks;
    }

    /**
     * Puts a part together again.
     *
     * @param stored gives the chunk of a number, from 0
     * @throws UnreadableStoreException if a chunk is damaged
     */
    public static byte[] whole(Waiting waiting, Arrived part, IntFunction<byte[]> stored) {
        int last = part.chunks() - 1;
        byte[] end = chunk(waiting, part, last, stored);
        if (last == 0) {
            return end;
        }
        byte[] whole = new byte[last * BYTES + end.length];
        for (int number = 0; number < last; number++) {
            System.arraycopy(chunk(waiting, part, number, stored), 0, whole, number * BYTES, BYTES);
        }
        System.arraycopy(end, 0, whole, last * BYTES, end.length);
        return whole;
    }

    private static byte[] chunk(Waiting waiting, Arrived part, int number, IntFunction<byte[]> stored) {
        byte[] chunk = stored.apply(number);
        if (part.chunks() == 1) {
            return chunk;
        }
        try {
            long bytes = chunk.length == 0 ? 0 : Zstd.getFrameContentSize(chunk);
            if (number == part.chunks() - 1 ? bytes > 0 && bytes <= BYTES : bytes == BYTES) {
                return Zstd.decompress(chunk, (int) bytes);
            }
            throw damaged(waiting, part, number, null);
        } catch (ZstdException e) {
            throw damaged(waiting, part, number, e);
        }
    }

    private static UnreadableStoreException damaged(Waiting waiting, Arrived part, int number, ZstdException cause) {
        byte[] key = ChangesLayout.partKey(
                waiting.envelope().workspace(), waiting.envelope().changeId(), part.part(), number);
        return new UnreadableStoreException(ChangesLayout.STORE, key, "holds what cannot be unpacked", cause);
    }
}
