package dev.strake.testing;

import dev.strake.engine.tree.Hasher;
import java.util.HexFormat;

/** SHA-256 as hexadecimal digits, like the ETags of servers. */
final class Sha256 {

    private Sha256() {}

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(Hasher.ofThread().bytes(bytes));
    }
}
