package dev.strake.fetch;

import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.util.HexFormat;

/** SHA-256 in 64 hexadecimal digits, as pins, change ids and the status of a resource have it. */
final class Digests {

    private Digests() {}

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(Hasher.ofThread().bytes(bytes));
    }

    static String of(Value value) {
        return of(JsonValues.write(value));
    }
}
