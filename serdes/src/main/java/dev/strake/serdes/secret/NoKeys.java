package dev.strake.serdes.secret;

import dev.strake.engine.secret.KeyedHash;

/** An installation without keys. */
final class NoKeys implements SecretKeys {

    private final KeyedHash hash = KeyedHash.withRandomKey();

    @Override
    public boolean areThere() {
        return false;
    }

    @Override
    public int current(Purpose purpose) {
        throw nothingToEncryptWith();
    }

    @Override
    public boolean has(Purpose purpose, int id) {
        return false;
    }

    @Override
    public byte[] seal(Purpose purpose, byte[] clear, byte[] place) {
        throw nothingToEncryptWith();
    }

    @Override
    public byte[] open(Purpose purpose, byte[] sealed, byte[] place) {
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
