package dev.strake.engine.pattern;

import dev.strake.engine.limit.Budget;

/**
 * A text that spends budget for each character that is read. How far a search reads is not known in advance: a search
 * for the longest match may read to the end of the text, find nothing longer, and start again after a short match.
 *
 * @param end where the text ends for the search; may be before the end of the string
 * @param price the price of reading a character, in units of the budget
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
