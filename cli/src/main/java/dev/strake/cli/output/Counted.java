package dev.strake.cli.output;

/** Numbers with a noun, such as {@code 1 problem} and {@code 2 problems}. */
public final class Counted {

    private Counted() {}

    /**
     * Returns a number and a noun.
     *
     * @param noun in the singular; the plural has an s appended
     */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
