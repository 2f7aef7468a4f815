package dev.strake.engine.limit;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Value;

/**
 * What one part of the rendering of one document may still do. The unit is a value that is looked at or an entry of a
 * container that is copied; all other work is counted in multiples of that. It is spent before the work is done.
 *
 * <p>What is spent depends on the values alone: not on time, not on what a cache holds, and not on whether equal values
 * are one object. So a document goes beyond its limit always or never.
 */
public final class Budget {

    /** So many characters of text take as long as one value. */
    private static final int CHARACTERS = 32;

    /** So many bytes of JSON take as long to be written and hashed as one value to be looked at. */
    private static final int JSON_BYTES = 8;

    private final RenderLimits limits;
    private long spent;

    Budget(RenderLimits limits) {
        this.limits = limits;
    }

    /** How far beyond the end of a list an index in a path may reach. */
    public int padding() {
        return limits.padding();
    }

    /** How many bytes of JSON the rendered data may come to. */
    public long bytes() {
        return limits.bytes();
    }

    /**
     * Checks data that is on its way into a document.
     *
     * @throws EvaluationException if it is too large or too deep
     */
    public void check(Value data) throws EvaluationException {
        limits.check(data);
    }

    /**
     * Takes units for work that is about to be done.
     *
     * @throws EffortExceededException if there are not that many left
     */
    public void spend(long units) {
        if (units > limits.effort() - spent) {
            throw new EffortExceededException(limits.effort());
        }
        spent += units;
    }

    /** Takes units for text that is about to be read, compared or copied. */
    public void spendText(long characters) {
        spend(characters / CHARACTERS);
    }

    /** Takes units for a value that is about to be written down as JSON, and hashed or sent. */
    public void spendJson(Value value) {
        spend(value.weight() / JSON_BYTES);
    }

    /** The units that were taken so far. */
    public long spent() {
        return spent;
    }
}
