package dev.strake.topology.apply;

import dev.strake.engine.render.RecordForm;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretForms;
import dev.strake.serdes.secret.SecretsOutput;

/**
 * How the topology handles secrets.
 *
 * @param keys encrypt secrets
 * @param requireSealed whether changes with secrets in clear text are rejected
 * @param output the form of published records with secrets, if there are keys
 * @param cleartextTopic whether the topic of secrets in clear text exists
 */
public record Secrets(InstalledKeys keys, boolean requireSealed, SecretsOutput output, boolean cleartextTopic) {

    /** Without keys: secrets stay in clear text. */
    public static final Secrets IN_CLEAR = new Secrets(InstalledKeys.NONE);

    /** With keys; changes may contain secrets in clear text. */
    public Secrets(InstalledKeys keys) {
        this(keys, false, SecretsOutput.REDACTED, false);
    }

    public RecordForm form(String workspace) {
        return SecretForms.of(output, keys.current(), workspace);
    }
}
