package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Whether a change says where its documents are kept. */
final class OriginOptions {

    @Option(
            names = "--no-origins",
            description = "Do not send file, line and commit of each document, which strake explain shows.")
    private boolean none;

    @Option(names = "--verbose", description = "Say why no commit is sent with the documents, if that is so.")
    private boolean verbose;

    /** The origin of each document, in their order; none if they are not wanted. */
    List<String> of(FileDocuments files, Terminal terminal) throws IOException {
        Consumer<String> trouble = verbose ? terminal::say : reason -> {};
        return none ? List.of() : files.origins(trouble);
    }
}
