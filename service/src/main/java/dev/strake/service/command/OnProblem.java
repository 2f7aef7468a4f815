package dev.strake.service.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What a document that does not render holds back: the setting {@code strake.on-problem}. */
record OnProblem(boolean holdsDocuments) {

    static final class Converter implements ITypeConverter<OnProblem> {

        @Override
        public OnProblem convert(String value) {
            return switch (value) {
                case "hold-revision" -> new OnProblem(false);
                case "hold-document" -> new OnProblem(true);
                default ->
                    throw new TypeConversionException("expected hold-revision or hold-document, not '" + value + "'");
            };
        }
    }
}
