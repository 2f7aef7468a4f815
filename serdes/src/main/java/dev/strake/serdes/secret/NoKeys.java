package dev.strake.serdes.secret;

import dev.strake.engine.secret.KeyedHash;

/** Has no keys. */
final class NoKeys implements SecretKeys {

    private final KeyedHash hash = KeyedHash.withRandomKey();

    @Override
    public boolean areThere() {
        return false;
    }

    @Override
    public byte[] seal(byte[] clear, byte[] place) {
        throw nothingToEncryptWith();
    }

    @Override
    public byte[] open(byte[] sealed, byte[] place) {
        throw new SecretKeyNotFoundException(Ciphertext.keyOf(sealed));
    }

    @Override
    public boolean hasKeyOf(byte[] sealed) {
        return false;
    }

    @Override
    public boolean isCurrent(byte[] sealed) {
        return false;
    }

    @Override
    public int storageKey() {
        throw nothingToEncryptWith();
    }

    @Override
    public int hashesKey() {
        throw nothingToEncryptWith();
    }

    @Override
    public int outputKey() {
        throw nothingToEncryptWith();
    }

    @Override
    public boolean has(int id) {
        return false;
    }

    @Override
    public byte[] sealHashes(byte[] clear, byte[] place) {
        throw nothingToEncryptWith();
    }

    @Override
    public byte[] openHashes(byte[] sealed, byte[] place) {
        throw new SecretKeyNotFoundException(Ciphertext.keyOf(sealed));
    }

    @Override
    public byte[] sealOutput(byte[] clear, byte[] document) {
        throw nothingToEncryptWith();
    }

    @Override
    public byte[] openOutput(byte[] sealed, byte[] document) {
        throw new SecretKeyNotFoundException(Ciphertext.keyOf(sealed));
    }

    @Override
    public byte[] openPublished(byte[] sealed, byte[] document) {
        throw new SecretKeyNotFoundException(Ciphertext.keyOf(sealed));
    }

    @Override
    public byte[] authenticate(byte[] statement) {
        throw nothingToEncryptWith();
    }

    @Override
    public KeyedHash keyedHash() {
        return hash;
    }

    private static IllegalStateException nothingToEncryptWith() {
        return new IllegalStateException("there are no keys");
    }
}
