package dev.strake.engine.tree;

import java.nio.ByteBuffer;

/**
 * The first 128 bits of the SHA-256 of a value's JSON. Early cut-off compares fingerprints instead of values, so old
 * values need not be kept or loaded.
 *
 * <p>Each value has two fingerprints. The {@linkplain Value#fingerprint() content} fingerprint sorts the keys. It
 * decides which changes are published. The fingerprint of the value {@linkplain #asWritten as written} keeps
 * the order of the keys. It decides what has to be rendered again, because rendered documents keep that order.
 */
public record Fingerprint(long high, long low) {

    /** Stands for a hash that is no longer known. No fingerprint of a value is equal to it. */
    public static final Fingerprint LOST = new Fingerprint(0, 1);

    static Fingerprint of(Value value) {
        return of(value, true);
    }

    /**
     * The fingerprint of a value with its keys in their order. Two values have the same fingerprint if their JSON is
     * the same to the byte and the same places are secret.
     */
    public static Fingerprint asWritten(Value value) {
        return asWritten(value, ofPlaces(value));
    }

    /** As {@link #asWritten(Value)}, with the known fingerprint of the secret places; null if there are none. */
    public static Fingerprint asWritten(Value value, Fingerprint places) {
        return of(value, false).withPlaces(places);
    }

    /** The fingerprint of the places where a value is secret; null if there are none. */
    public static Fingerprint ofPlaces(Value value) {
        return value.hasSecrets() ? of(SecretMarks.of(value), false) : null;
    }

    /** Combines the fingerprint of a value with that of its secret places. Returns this fingerprint for null. */
    public Fingerprint withPlaces(Fingerprint places) {
        return places == null ? this : and(places);
    }

    /** Whether this may be the fingerprint of the value as written. {@link #LOST} fits every value. */
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

    /** Combines two fingerprints, in this order. */
    public Fingerprint and(Fingerprint other) {
        ByteBuffer both = ByteBuffer.allocate(32);
        both.putLong(high).putLong(low).putLong(other.high).putLong(other.low);
        return of(Hasher.ofThread().bytes(both.array()));
    }
}
