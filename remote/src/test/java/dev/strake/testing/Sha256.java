package dev.strake.testing;

import dev.strake.engine.tree.Hasher;
import java.util.HexFormat;

/** SHA-256 in hexadecimal digits, as servers put it into ETags. */
final class Sha256 {

    private Sha256() {}

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(Hasher.ofThread().bytes(bytes));
    }
}
