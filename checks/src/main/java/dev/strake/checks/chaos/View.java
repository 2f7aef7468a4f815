package dev.strake.checks.chaos;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Hasher;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** A consumer's view of the rendered documents of a workspace, with the hash defined in the contract. */
final class View {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    private final Map<DocumentKey, byte[]> documents = new TreeMap<>();
    private BigInteger sum = BigInteger.ZERO;

    /** Applies a record; returns whether it changed the view. */
    boolean take(DocumentKey key, byte[] value) {
        byte[] before = value == null ? documents.remove(key) : documents.put(key, value);
        if (before != null) {
            sum = sum.subtract(number(key, before));
        }
        if (value != null) {
            sum = sum.add(number(key, value));
        }
        return !Arrays.equals(before, value);
    }

    Map<DocumentKey, byte[]> documents() {
        return documents;
    }

    int size() {
        return documents.size();
    }

    /** The hash, as in {@code contentHash} of an outcome. */
    String hash() {
        return String.format("%064x", sum.mod(MODULUS));
    }

    private static BigInteger number(DocumentKey key, byte[] value) {
        MessageDigest sha = Hasher.sha256();
        sha.update((key.schema() + "|" + key.name() + "\n").getBytes(StandardCharsets.UTF_8));
        return new BigInteger(1, sha.digest(value));
    }
}
