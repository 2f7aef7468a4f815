package dev.strake.topology.apply;

import dev.strake.engine.render.RecordForm;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretForms;
import dev.strake.serdes.secret.SecretsOutput;

/**
 * What becomes of secrets.
 *
 * @param keys that encrypt them
 * @param requireSealed whether changes have to bring them sealed
 * @param output how records with secrets are published, if there are keys
 * @param cleartextTopic whether the topic of secrets in clear text is there
 */
public record Secrets(InstalledKeys keys, boolean requireSealed, SecretsOutput output, boolean cleartextTopic) {

    /** Without keys: they stay in clear text. */
    public static final Secrets IN_CLEAR = new Secrets(InstalledKeys.NONE);

    /** With keys, where changes may bring secrets in clear text. */
    public Secrets(InstalledKeys keys) {
        this(keys, false, SecretsOutput.REDACTED, false);
    }

    public RecordForm form(String workspace) {
        return SecretForms.of(output, keys.current(), workspace);
    }
}
