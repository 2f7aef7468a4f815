package dev.strake.engine.pattern;

import dev.strake.engine.limit.Budget;

/**
 * A text in which each look at a character costs something. How far a search goes is known to nobody before: one that
 * looks for the longest match reads on to the end of the text, finds nothing longer, and begins again behind a short one.
 *
 * @param end where the text is to end, which may be earlier than it does
 * @param price of a look, in units of the budget
 */
record CountedText(String text, int end, long price, Budget budget) implements CharSequence {

    @Override
    public int length() {
        return end;
    }

    @Override
    public char charAt(int index) {
        budget.spend(price);
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return text.subSequence(from, to);
    }

    @Override
    public String toString() {
        return "CountedText"; // the text may be secret
    }
}
