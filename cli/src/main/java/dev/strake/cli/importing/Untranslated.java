package dev.strake.cli.importing;

import dev.strake.engine.problem.Location;

/**
 * Something that the documents do not have.
 *
 * @param where the file, with line and column if they are known
 * @param what the field or object
 * @param why in a sentence without a capital letter and a full stop. Never a value: it may be secret
 */
record Untranslated(String where, String what, String why) {

    /** As it is printed, in one line. */
    String describe() {
        return Location.inOneLine(where + ": " + what + ": " + why);
    }
}
