package dev.strake.checks.chaos;

import java.util.List;

/**
 * JVM defaults that depend on the machine and must not affect results: the locale, with its letters and digits, the
 * time zone and the file encoding.
 */
enum Surroundings {
    /** The defaults of this machine. */
    OURS(""),
    /** The capital of {@code i} is another letter, and the time zone has an offset of quarter hours. */
    TURKISH("-Duser.language=tr -Duser.country=TR -Duser.timezone=Asia/Kathmandu -Dfile.encoding=ISO-8859-9"),
    /** Formatted numbers have other digits. */
    ARABIC("-Duser.language=ar -Duser.country=EG -Duser.extensions=u-nu-arab -Duser.timezone=Pacific/Chatham"
            + " -Dfile.encoding=US-ASCII"),
    /** The calendar is 543 years ahead. */
    THAI("-Duser.language=th -Duser.country=TH -Duser.extensions=u-ca-buddhist-nu-thai"
            + " -Duser.timezone=America/St_Johns -Dfile.encoding=windows-1252");

    private final String options;

    Surroundings(String options) {
        this.options = options;
    }

    /** JVM options. */
    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" "));
    }

    /** Cycles through all of them. */
    static Surroundings of(int number) {
        return values()[number % values().length];
    }
}
