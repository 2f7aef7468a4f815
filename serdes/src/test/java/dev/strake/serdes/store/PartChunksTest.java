package dev.strake.serdes.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeEnvelope.Part;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.store.ChangesLayout.Arrived;
import dev.strake.serdes.store.ChangesLayout.Waiting;
import dev.strake.serdes.text.TextFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PartChunksTest {

    private static final int MEBIBYTE = 1 << 20;

    private static byte[] noise(int bytes) {
        byte[] part = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(part);
        return part;
    }

    private static byte[] blanks(int bytes) {
        byte[] part = new byte[bytes];
        Arrays.fill(part, (byte) ' ');
        return part;
    }

    private static byte[] whole(List<byte[]> chunks) {
        ChangeEnvelope envelope = new ChangeEnvelope(
                "site-a",
                "id",
                ChangeType.BUCKET_PUT,
                ChangeType.BUCKET_PUT.text(),
                "default",
                new Part(2, 3),
                TextFormat.DETECTED,
                Carried.NOTHING,
                Terms.NONE,
                Note.NONE,
                "t-0@7",
                0,
                null);
        Arrived part = new Arrived(2, chunks.size(), 0, 0);
        return PartChunks.whole(new Waiting(envelope, 0, 0, List.of(part)), part, chunks::get);
    }

    @Test
    void shouldCutAPartAndPutItTogetherAgain() {
        for (int bytes : new int[] {0, 1, MEBIBYTE, MEBIBYTE + 1, 5 * MEBIBYTE, 40_000_000}) {
            for (byte[] part : List.of(noise(bytes), blanks(bytes))) {
                List<byte[]> chunks = PartChunks.of(part);
                assertThat(chunks).hasSize(Math.max(1, (bytes + MEBIBYTE - 1) / MEBIBYTE));
                assertThat(whole(chunks)).isEqualTo(part);
            }
        }
    }

    @Test
    void shouldTakeFewBytesForBlanksAndHardlyMoreThanThereAreForNoise() {
        assertThat(bytes(PartChunks.of(blanks(40_000_000)))).isLessThan(4_000);
        assertThat(bytes(PartChunks.of(noise(40_000_000)))).isLessThan(40_010_000);
    }

    private static long bytes(List<byte[]> chunks) {
        return chunks.stream().mapToLong(chunk -> chunk.length).sum();
    }

    @Test
    void shouldNameTheEntryOfADamagedChunk() {
        List<byte[]> chunks = new ArrayList<>(PartChunks.of(noise(2 * MEBIBYTE + 5)));
        for (byte[] damaged : List.of(new byte[0], noise(100), chunks.get(2), Arrays.copyOf(chunks.get(1), 5_000))) {
            chunks.set(1, damaged);

            assertThatThrownBy(() -> whole(chunks))
                    .isInstanceOf(UnreadableStoreException.class)
                    .hasMessageContaining("site-a")
                    .hasMessageContaining("of store changes holds what cannot be unpacked");
        }
    }
}
