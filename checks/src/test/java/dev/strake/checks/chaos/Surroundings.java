package dev.strake.checks.chaos;

import java.util.List;

/**
 * What a JVM takes from the machine that it happens to run on, and what must make no difference: the language, with its
 * letters and digits, the time zone and the encoding of files.
 */
enum Surroundings {
    /** As this machine is. */
    OURS(""),
    /** Where the capital letter of {@code i} is none that we know, and zones are off by quarters of an hour. */
    TURKISH("-Duser.language=tr -Duser.country=TR -Duser.timezone=Asia/Kathmandu -Dfile.encoding=ISO-8859-9"),
    /** With digits of its own, in numbers made for people. */
    ARABIC("-Duser.language=ar -Duser.country=EG -Duser.extensions=u-nu-arab -Duser.timezone=Pacific/Chatham"
            + " -Dfile.encoding=US-ASCII"),
    /** With a calendar of its own, 543 years ahead. */
    THAI("-Duser.language=th -Duser.country=TH -Duser.extensions=u-ca-buddhist-nu-thai"
            + " -Duser.timezone=America/St_Johns -Dfile.encoding=windows-1252");

    private final String options;

    Surroundings(String options) {
        this.options = options;
    }

    /** Options of the JVM. */
    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" "));
    }

    /** Another one for each number, in turn. */
    static Surroundings of(int number) {
        return values()[number % values().length];
    }
}
