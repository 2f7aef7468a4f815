package dev.strake.cli.command;

import dev.strake.engine.identity.DocumentKey;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code SCHEMA/NAME}. A schema has two slashes, as {@code armada/Chart/v1}; a name may have any. */
final class DocumentName implements ITypeConverter<DocumentKey> {

    @Override
    public DocumentKey convert(String given) {
        int slash = -1;
        for (int i = 0; i < 3; i++) {
            slash = given.indexOf('/', slash + 1);
            if (slash < 0) {
                throw new TypeConversionException("'" + given
                        + "' is no SCHEMA/NAME: write the schema, a slash and the name, as in armada/Chart/v1/nova");
            }
        }
        return new DocumentKey(given.substring(0, slash), given.substring(slash + 1));
    }
}
