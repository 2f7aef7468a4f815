package dev.strake.engine.tree;

/**
 * The part of a container that is secret.
 *
 * <pre>
 *   NONE     nothing
 *   PARTLY   some of the values are secret or contain secrets
 *   WHOLE    the whole container came from a secret document
 *   CLOSED   as WHOLE, with keys made from secrets: the keys stay hidden, whatever is written into the container
 * </pre>
 */
enum Secrecy {
    NONE,
    PARTLY,
    WHOLE,
    CLOSED;

    /** The secrecy of a new container. */
    static Secrecy of(Value[] values) {
        for (Value value : values) {
            if (value.hasSecrets()) {
                return PARTLY;
            }
        }
        return NONE;
    }

    boolean isWhole() {
        return compareTo(WHOLE) >= 0;
    }

    /** The secrecy of a copy with other values. A whole container stays whole only if all values are secret. */
    Secrecy copied(Value[] values) {
        if (this == CLOSED) {
            return CLOSED;
        }
        if (this == WHOLE) {
            boolean isLeft = true;
            for (int i = 0; i < values.length && isLeft; i++) {
                isLeft = values[i].isSecret();
            }
            return isLeft ? WHOLE : of(values);
        }
        return of(values);
    }

    /** The secrecy of a copy in which one value was replaced. */
    Secrecy replaced(Value old, Value value, Value[] values) {
        if (this == NONE || (this == PARTLY && (value.hasSecrets() || !old.hasSecrets()))) {
            return value.hasSecrets() ? PARTLY : this;
        }
        return copied(values);
    }

    /** The secrecy of a copy with one more value, which may be its first. */
    Secrecy added(Value value, boolean isFirst) {
        if (this == CLOSED || (this == WHOLE && value.isSecret())) {
            return this;
        }
        return value.hasSecrets() || (this != NONE && !isFirst) ? PARTLY : NONE;
    }
}
