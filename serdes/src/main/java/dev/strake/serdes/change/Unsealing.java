package dev.strake.serdes.change;

import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.UnreadableTextException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decrypts sealed documents of changes.
 *
 * @param keys decrypt documents sealed by publishers
 * @param requiresSealed whether documents with {@code storagePolicy: encrypted} are rejected unless they are sealed
 */
public record Unsealing(InstalledKeys keys, boolean requiresSealed) {

    /** Unsealing without keys. */
    public static final Unsealing NONE = new Unsealing(InstalledKeys.NONE, false);

    /**
     * Returns a document with its data in clear text. A document that is not sealed is returned unchanged.
     *
     * @param tally adds the decrypted data to the counts of the change
     * @throws DocumentFormatException if the data cannot be decrypted, or had to be sealed and is in clear text
     */
    Value opened(Value tree, String workspace, DocumentReader reader, Tally tally) throws DocumentFormatException {
        if (!(tree instanceof MapValue document)) {
            return tree;
        }
        boolean encrypted = StoragePolicy.isEncrypted(document);
        if (!SealedData.isSealed(document)) {
            if (encrypted && requiresSealed) {
                throw refused(
                        ProblemCode.SECRET_NOT_SEALED,
                        document,
                        "is secret, but not sealed as strake.secrets.require-sealed requires",
                        "change the secret, because the topic has it in clear text, and publish it with --public-key");
            }
            return document;
        }
        if (!encrypted) {
            // Without this check, anyone with a ciphertext could have it decrypted and published in clear text.
            throw refused(
                    ProblemCode.INVALID_SEALED_DATA,
                    document,
                    "is sealed, but does not have storagePolicy: encrypted",
                    "set storagePolicy: encrypted");
        }
        if (!keys.current().areThere()) {
            throw refused(
                    ProblemCode.SECRET_KEY_NOT_FOUND,
                    document,
                    "is sealed, but there is no keyset to decrypt it",
                    "set strake.secrets.keyset");
        }
        return open(document, workspace, reader, tally);
    }

    private MapValue open(MapValue document, String workspace, DocumentReader reader, Tally tally)
            throws DocumentFormatException {
        byte[] clear;
        try {
            clear = SealedData.openPublished(
                    document,
                    workspace,
                    (ciphertext, place) -> keys.current().open(Purpose.PUBLISHING, ciphertext, place));
        } catch (SecretKeyNotFoundException e) {
            throw refused(
                    ProblemCode.SECRET_KEY_NOT_FOUND,
                    document,
                    "is sealed with the key " + e.key() + ", which is not in the keyset",
                    "seal it again with the public key of this installation: GET /secrets/public-key");
        } catch (DoesNotOpenException e) {
            throw refused(
                    ProblemCode.INVALID_SEALED_DATA,
                    document,
                    "cannot be decrypted: it was changed, or sealed for another workspace, schema, layer or name",
                    "seal it again for this document");
        }
        try {
            if (reader.readSealed(clear, tally) instanceof MapValue opened
                    && opened.size() == 1
                    && opened.has("data")) {
                return SealedData.with(document, opened);
            }
        } catch (UnreadableTextException e) {
            if (e.problem().code() == ProblemCode.LIMIT_EXCEEDED) {
                throw refused(
                        ProblemCode.LIMIT_EXCEEDED,
                        document,
                        "was decrypted, but " + e.problem().message(),
                        e.problem().hint());
            }
        }
        throw refused(
                ProblemCode.INVALID_SEALED_DATA,
                document,
                "was decrypted, but is not the data of a document",
                "seal it with 'strake seal' or 'strake publish --public-key'");
    }

    private static DocumentFormatException refused(ProblemCode code, MapValue document, String message, String hint) {
        DocumentId id = SealedData.id(document);
        boolean named = Stream.of(id.schema(), id.layer(), id.name())
                .allMatch(part -> part.length() <= DocumentId.LONGEST_PART);
        return new DocumentFormatException(
                List.of(Problem.of(code, named ? id : null, message, hint).at(".data")));
    }
}
