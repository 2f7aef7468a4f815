package dev.strake.cli.verify;

import dev.strake.cli.verify.ConsumerView.Held;
import dev.strake.client.MisconfiguredException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretForms;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.secret.SecretsOutput;
import java.util.Collection;

/**
 * Records with secrets: their published form, and the form to compare.
 *
 * @param keys the keys of the installation
 */
record Published(SecretKeys keys, String workspace) {

    /** Throws an exception if there are records that cannot be compared without keys. */
    void checkKeys(Collection<Held> held) {
        if (!keys.areThere() && held.stream().anyMatch(each -> each.secrets().data() != null)) {
            throw new MisconfiguredException(
                    "Records with redacted, encrypted or referenced secrets cannot be compared without the keys of "
                            + "the installation. Give --secrets-keyset.");
        }
    }

    /** Returns a document as it should be published, with secrets in the form of an existing record. */
    MapValue of(MapValue expected, Held record) {
        return record.secrets().data() == null || !expected.get("data").hasSecrets()
                ? expected
                : SecretForms.of(SecretsOutput.of(record.secrets().data()), keys, workspace)
                        .of(record.key(), expected)
                        .document();
    }

    /** Returns what {@link #opened} has to equal. Encrypted data is in clear: its bytes depend on the order of keys. */
    MapValue comparable(MapValue expected, Held record) {
        return isEncrypted(record) ? expected : of(expected, record);
    }

    /** Returns a record with its data decrypted, if that is possible. */
    Value opened(Value tree, Held record) {
        if (isEncrypted(record) && tree instanceof MapValue document) {
            try {
                return SealedData.openRendered(
                        document,
                        SecretPlaces.at(record.secrets().paths(), document.get("data")),
                        workspace,
                        record.key(),
                        (ciphertext, place) -> keys.open(Purpose.OUTPUT, ciphertext, place));
            } catch (SecretKeyNotFoundException | DoesNotOpenException | IllegalArgumentException e) {
                return tree; // differs from every expected record
            }
        }
        return tree;
    }

    private static boolean isEncrypted(Held record) {
        return record.key() != null
                && SecretsOutput.ENCRYPTED.text().equals(record.secrets().data());
    }
}
