package dev.strake.engine.tree;

/**
 * What a container has of secrets.
 *
 * <pre>
 *   NONE     nothing
 *   PARTLY   some of its values are secret, or have secrets in them
 *   WHOLE    it came from a secret document as a whole
 *   CLOSED   the same, and its keys were made of secrets: they stay hidden, whatever is written into it
 * </pre>
 */
enum Secrecy {
    NONE,
    PARTLY,
    WHOLE,
    CLOSED;

    /** Of a new container. */
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

    /** Of a copy with other values: only what is left from before, and what came from a secret, is secret. */
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

    /** The same of a copy in which one value took the place of another one. */
    Secrecy replaced(Value old, Value value, Value[] values) {
        if (this == NONE || (this == PARTLY && (value.hasSecrets() || !old.hasSecrets()))) {
            return value.hasSecrets() ? PARTLY : this;
        }
        return copied(values);
    }

    /** The same of a copy to which a value was added, to others or as the first one. */
    Secrecy added(Value value, boolean isFirst) {
        if (this == CLOSED || (this == WHOLE && value.isSecret())) {
            return this;
        }
        return value.hasSecrets() || (this != NONE && !isFirst) ? PARTLY : NONE;
    }
}
