package dev.strake.cli.command;

import dev.strake.client.StateClient.NotFoundException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * A revision to return to, as it is written on a command line.
 *
 * @param text its number, a tag, or {@code published}: the revision that consumers hold
 */
record RevisionName(String text) {

    /** @throws IllegalArgumentException if it can be none of these */
    RevisionName {
        if (!isNumber(text) && (text.isEmpty() || text.matches("[-+]?[0-9]+"))) {
            throw new IllegalArgumentException(
                    "has to be 0 (no documents), the number of a revision, a tag, or published.");
        }
    }

    /**
     * The revision that an argument of a command names.
     *
     * @param argument as its help calls it
     */
    static RevisionName of(String text, String argument, CommandLine command) {
        try {
            return new RevisionName(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, argument + " " + e.getMessage());
        }
    }

    private static boolean isNumber(String text) {
        return text.matches("[0-9]{1,18}");
    }

    /** Its number. A running Strake is asked for that of a tag, and the answer is told. */
    long number(String workspace, UrlOption url, Terminal terminal) throws NotFoundException, InterruptedException {
        if (isNumber(text)) {
            return Long.parseLong(text);
        }
        long number = url.client().revision(workspace, text);
        terminal.say("strake: %s is revision %d.".formatted(text, number));
        return number;
    }
}
