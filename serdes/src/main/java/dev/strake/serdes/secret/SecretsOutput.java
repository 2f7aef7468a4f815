package dev.strake.serdes.secret;

import java.util.List;
import java.util.Locale;

/**
 * The forms in which records with secrets are published.
 *
 * <pre>
 *              rendered-documents              cleartext-documents
 *  REDACTED    masks instead of values         -
 *  ENCRYPTED   data: {$sealed: …}              -
 *  REFERENCES  references instead of values    -
 *  CLEARTEXT   masks instead of values         clear text
 * </pre>
 *
 * <p>Without keys, masks of equal values would not stay equal. Then records are published in clear text.
 */
public enum SecretsOutput {
    REDACTED,
    ENCRYPTED,
    REFERENCES,
    CLEARTEXT;

    /** The text in settings, headers and forms. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SecretsOutput of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** The value of the header {@code secret-data} for a form; null for clear text. */
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

    /** Whether records of a form are also published in clear text, in a separate topic. */
    public static boolean isInCleartext(String form) {
        return form.startsWith(CLEARTEXT.text());
    }
}
