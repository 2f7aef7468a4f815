package dev.strake.engine.tree;

import java.nio.ByteBuffer;

/**
 * The first 128 bits of the SHA-256 of a value's JSON. Early cut-off compares fingerprints instead of values, so old
 * values need not be kept or loaded.
 *
 * <p>Each value has two fingerprints. The {@linkplain Value#fingerprint() content} fingerprint sorts the keys. It
 * decides which changes are news to consumers. The fingerprint of the value {@linkplain #asWritten as written} keeps
 * the order of the keys. It decides what has to be rendered again, because rendered documents keep that order.
 */
public record Fingerprint(long high, long low) {

    /** Of a value of which the hash is not known any more. No other fingerprint is equal to it. */
    public static final Fingerprint LOST = new Fingerprint(0, 1);

    static Fingerprint of(Value value) {
        return of(value, true);
    }

    /**
     * The fingerprint of a value with its keys in their order: equal for values whose JSON is the same to the byte, and that are
     * secret in the same places.
     */
    public static Fingerprint asWritten(Value value) {
        return asWritten(value, ofPlaces(value));
    }

    /** The same for who knows the fingerprint of its secret places already. */
    public static Fingerprint asWritten(Value value, Fingerprint places) {
        return of(value, false).withPlaces(places);
    }

    /** The fingerprint of the places where a value is secret; null if there are none. */
    public static Fingerprint ofPlaces(Value value) {
        return value.hasSecrets() ? of(SecretMarks.of(value), false) : null;
    }

    /** This one of a value, and that of the places where the value is secret: itself if there are none. */
    public Fingerprint withPlaces(Fingerprint places) {
        return places == null ? this : and(places);
    }

    /** Whether this may be the fingerprint of a value as written: of one that is lost, nobody can tell. */
    public boolean fits(Value value) {
        return equals(LOST) || equals(asWritten(value));
    }

    private static Fingerprint of(Value value, boolean sorted) {
        return of(Hasher.ofThread().json(value, sorted));
    }

    private static Fingerprint of(byte[] hash) {
        ByteBuffer first = ByteBuffer.wrap(hash);
        return new Fingerprint(first.getLong(), first.getLong());
    }

    /** The fingerprint of two things in this order. */
    public Fingerprint and(Fingerprint other) {
        ByteBuffer both = ByteBuffer.allocate(32);
        both.putLong(high).putLong(low).putLong(other.high).putLong(other.low);
        return of(Hasher.ofThread().bytes(both.array()));
    }
}
