package dev.strake.remote.apply;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.SealedData;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/**
 * Maps documents to files. Equal documents have equal files, in every folder and every run.
 *
 * <pre>
 *  example/Chart/v1/db.yaml          schema, then name
 *  kubernetes/Object/v1/Pod~a~b.yaml  of the name Pod/a/b
 * </pre>
 *
 * @param extension the extension of the files' names, without the dot
 * @param text converts a value to text
 * @param withSecrets whether documents with secrets are written, with the secrets in clear
 */
public record FileForm(FileContents contents, String extension, Function<Value, String> text, boolean withSecrets) {

    /* File systems allow 255 bytes; the rest is left for suffixes of other programs. */
    private static final int LONGEST_NAME = 200;
    private static final int HASH_DIGITS = 32;

    /** Returns the path of a document's file, with slashes. No two documents have the same path. */
    public String path(DocumentKey key) {
        String name = name(key.name());
        if (name.length() > LONGEST_NAME) {
            // a name that was not cut contains no '='
            name = name.substring(0, LONGEST_NAME - HASH_DIGITS) + "="
                    + Hasher.hex(key.name()).substring(0, HASH_DIGITS);
        }
        return key.schema() + "/" + name + "." + extension;
    }

    /** Returns the document that has a path; empty if the name was cut, or if no document has the path. */
    Optional<DocumentKey> key(String path) {
        int slash = path.lastIndexOf('/');
        String ending = "." + extension;
        if (slash < 1 || !path.endsWith(ending) || path.indexOf('=', slash) >= 0) {
            return Optional.empty();
        }
        String name = path.substring(slash + 1, path.length() - ending.length());
        String decoded = URLDecoder.decode(name.replace('~', '/'), StandardCharsets.UTF_8);
        return Optional.of(new DocumentKey(path.substring(0, slash), decoded))
                .filter(key -> path(key).equals(path));
    }

    /** Returns the content of a document's file; empty if it has no file. */
    Optional<byte[]> content(RenderedRecord record) {
        return omits(record)
                ? Optional.empty()
                : contents.of(record.document().orElseThrow())
                        .map(value -> text.apply(value).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Whether a document has no file only because it contains secrets, even if a secret is just one of its values. A
     * document that is sealed as a whole counts, too, because its data cannot be inspected.
     */
    boolean omits(RenderedRecord record) {
        MapValue document = record.document().orElseThrow();
        return !withSecrets
                && isSecret(record)
                && (SealedData.isSealed(document) || contents.of(document).isPresent());
    }

    /** Whether a document contains secrets: values that its author marked, or the values of any Kubernetes Secret. */
    static boolean isSecret(RenderedRecord record) {
        return record.headers().secret()
                || ObjectDocument.isSecret(record.document().orElseThrow());
    }

    /* Escapes special bytes as %XX, also a leading dot, which would hide the file. Slashes are common and become ~. */
    private static String name(String name) {
        StringBuilder plain = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (each & 0xff);
            boolean isPlain = (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || (character >= '0' && character <= '9')
                    || character == '_'
                    || (character == '-' && !plain.isEmpty())
                    || (character == '.' && !plain.isEmpty());
            if (isPlain) {
                plain.append(character);
            } else if (character == '/') {
                plain.append('~');
            } else {
                plain.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return plain.toString();
    }
}
