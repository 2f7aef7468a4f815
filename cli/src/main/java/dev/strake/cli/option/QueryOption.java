package dev.strake.cli.option;

import dev.strake.serdes.query.DocumentQuery;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The query that selects which parts of documents to print. */
public final class QueryOption {

    @Option(
            names = "--query",
            paramLabel = "JSONPATH",
            converter = Reader.class,
            description = "Print only the parts of documents that this selects, as $.data.name or $$..image.")
    private Optional<DocumentQuery> value = Optional.empty();

    public Optional<DocumentQuery> value() {
        return value;
    }

    public static final class Reader implements ITypeConverter<DocumentQuery> {

        @Override
        public DocumentQuery convert(String given) {
            try {
                return DocumentQuery.of(given);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
