package dev.strake.cli.files;

import dev.strake.serdes.text.Dialect;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.PlainFile;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads files for BOSH: plain YAML, where only the first document counts, or text. */
public final class PlainYaml {

    /** A manifest is one document, so it may be as large as a change. */
    public static final Limits LIMITS = Limits.DEFAULT.ofOneDocument();

    private static final DocumentReader READER = new DocumentReader(LIMITS).rememberingLines();

    private final InputStream stdin;
    private boolean stdinRead;

    public PlainYaml(InputStream stdin) {
        this.stdin = stdin;
    }

    /**
     * Reads the first document of a file.
     *
     * @param path a file, or {@code -} for the standard input
     * @throws FileSystemException if the file cannot be read
     * @throws UnreadableTextException if the file is not valid YAML
     */
    public ReadDocument read(String path) throws IOException, UnreadableTextException {
        return READER.readFirst(bytes(path), Dialect.GO, path.equals("-") ? SourceFiles.STDIN : path);
    }

    /** Parses a value from the command line or the environment. */
    public static ReadDocument parse(String text, String source) throws UnreadableTextException {
        return READER.readFirst(text.getBytes(StandardCharsets.UTF_8), Dialect.GO, source);
    }

    public String text(String path) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(path)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FileSystemException(path, null, "it is not valid UTF-8");
        }
    }

    private byte[] bytes(String path) throws IOException {
        int most = (int) LIMITS.change().bytes() + 1;
        if (path.equals("-")) {
            if (stdinRead) {
                throw new FileSystemException("-", null, "the standard input can be read only once");
            }
            stdinRead = true;
            return SourceFiles.read(path, stdin, most);
        }
        Path file = Path.of(path);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(path);
        }
        try (InputStream in = Files.newInputStream(PlainFile.of(file))) {
            return SourceFiles.read(path, in, most);
        }
    }
}
