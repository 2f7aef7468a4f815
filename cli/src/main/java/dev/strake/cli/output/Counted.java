package dev.strake.cli.output;

/** Numbers with what they count, as people write them: {@code 1 problem}, {@code 2 problems}. */
public final class Counted {

    private Counted() {}

    /**
     * A number and a noun.
     *
     * @param noun in the singular; its plural ends with an s more
     */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
