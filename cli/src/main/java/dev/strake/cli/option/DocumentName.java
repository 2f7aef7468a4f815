package dev.strake.cli.option;

import dev.strake.engine.identity.DocumentKey;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code SCHEMA/NAME}. A schema has two slashes, as {@code armada/Chart/v1}; a name may have any number. */
public final class DocumentName implements ITypeConverter<DocumentKey> {

    private static final int SLASHES = 3;

    @Override
    public DocumentKey convert(String given) {
        if (!hasSchema(given)) {
            throw new TypeConversionException("'" + given
                    + "' is not SCHEMA/NAME: write the schema, a slash and the name, as in armada/Chart/v1/nova");
        }
        return of(given);
    }

    /** Whether a text has enough slashes for a schema and a name. */
    public static boolean hasSchema(String given) {
        return slash(given) >= 0;
    }

    /** Returns the document that a text with a schema names. */
    public static DocumentKey of(String given) {
        int slash = slash(given);
        return new DocumentKey(given.substring(0, slash), given.substring(slash + 1));
    }

    private static int slash(String given) {
        int slash = -1;
        for (int i = 0; i < SLASHES; i++) {
            slash = given.indexOf('/', slash + 1);
            if (slash < 0) {
                return -1;
            }
        }
        return slash;
    }
}
