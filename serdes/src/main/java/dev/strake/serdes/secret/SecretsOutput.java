package dev.strake.serdes.secret;

import java.util.List;
import java.util.Locale;

/**
 * How records with secrets are published.
 *
 * <pre>
 *              rendered-documents              cleartext-documents
 *  REDACTED    masks in the place of values    -
 *  ENCRYPTED   data: {$sealed: …}              -
 *  REFERENCES  references in their place       -
 *  CLEARTEXT   masks in the place of values    clear text
 * </pre>
 *
 * <p>Without keys, nothing can be redacted so that equal values look equal for ever: then records are in clear text.
 */
public enum SecretsOutput {
    REDACTED,
    ENCRYPTED,
    REFERENCES,
    CLEARTEXT;

    /** As settings, headers and forms have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SecretsOutput of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** What a header tells of the data of a record in a form; null for clear text. */
    public static String ofData(String form) {
        if (form.isEmpty()) {
            return null;
        }
        for (SecretsOutput output : List.of(ENCRYPTED, REFERENCES)) {
            if (form.startsWith(output.text())) {
                return output.text();
            }
        }
        return REDACTED.text();
    }

    /** Whether records in a form are in clear text in a topic of their own. */
    public static boolean isInCleartext(String form) {
        return form.startsWith(CLEARTEXT.text());
    }
}
