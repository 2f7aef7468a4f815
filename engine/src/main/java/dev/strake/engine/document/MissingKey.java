package dev.strake.engine.document;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.regex.Pattern;

/**
 * A key that data was encrypted with, but that is not in the keyset.
 *
 * @param id the ID that messages and commands show
 */
public record MissingKey(String id) {

    private static final Pattern PLACEHOLDER =
            Pattern.compile(Pattern.quote(StoragePolicy.MASK.value()) + " no key [0-9a-f]{8}");

    private static final String HINT =
            "restore the key in the keyset (strake.secrets.keyset), or publish the document again with its data";

    /** Replaces data that cannot be decrypted. */
    public Text placeholder() {
        return new Text(StoragePolicy.MASK.value() + " no key " + id);
    }

    /** Whether a value replaces data that cannot be decrypted. Tests the prefix first, which is faster than the pattern. */
    public static boolean isPlaceholder(Value value) {
        return value instanceof Text text
                && text.value().startsWith(StoragePolicy.MASK.value())
                && PLACEHOLDER.matcher(text.value()).matches();
    }

    /** The problem of a document whose data was encrypted with the key. */
    public Problem problemOf(DocumentId document) {
        return Problem.of(
                        ProblemCode.SECRET_KEY_NOT_FOUND,
                        document,
                        "its data cannot be decrypted: the key " + id + " is not in the keyset",
                        HINT)
                .at(".data");
    }

    /** The problem of a document of which only the hashes were encrypted with the key. */
    public Problem problemOfHashes(DocumentId document) {
        return Problem.of(
                ProblemCode.SECRET_KEY_NOT_FOUND,
                document,
                "its rendered data is unknown: the key " + id + " is not in the keyset",
                HINT);
    }
}
