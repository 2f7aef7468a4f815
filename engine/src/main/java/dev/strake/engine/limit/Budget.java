package dev.strake.engine.limit;

import dev.strake.engine.tree.Value;

/**
 * The work that one part of rendering a document may still do. One unit is a visit of a value, or a copy of an entry of
 * a container. All other work is counted in multiples of it. Units are spent before the work is done.
 *
 * <p>The units spent depend only on the values: not on time, not on the content of caches, and not on whether equal
 * values are the same object. So a document exceeds its limit either always or never.
 */
public final class Budget {

    /** The units for looking up an entry of a mapping, or for making one. */
    public static final long ENTRY = 4;

    /** The characters of text that cost one unit. */
    public static final int CHARACTERS = 32;

    /** The bytes of JSON whose writing and hashing cost one unit. */
    public static final int JSON_BYTES = 8;

    private final RenderLimits limits;
    private long spent;

    Budget(RenderLimits limits) {
        this.limits = limits;
    }

    /** How large a document may become. */
    public RenderLimits limits() {
        return limits;
    }

    /**
     * Spends units for work that is about to be done.
     *
     * @throws BudgetExceededException if too few units are left
     */
    public void spend(long units) {
        if (units > limits.effort() - spent) {
            throw new BudgetExceededException(limits.effort());
        }
        spent += units;
    }

    /** Spends units for text that is about to be read, compared or copied. */
    public void spendText(long characters) {
        spend(characters / CHARACTERS);
    }

    /** Spends units for a value that is about to be written as JSON, and hashed or sent. */
    public void spendJson(Value value) {
        spend(value.weight() / JSON_BYTES);
    }

    public long left() {
        return limits.effort() - spent;
    }

    /** The units spent so far. */
    public long spent() {
        return spent;
    }
}
