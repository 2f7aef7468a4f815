package dev.strake.cli.option;

import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether secrets are shown. */
public final class SecretsOption {

    /** Equal values look equal within a run; no other run has the key. */
    private final KeyedHash hash = KeyedHash.withRandomKey();

    @Option(
            names = "--cleartext-secrets",
            description = "Show secrets, which are redacted otherwise. A running Strake wants the role secrets-reader "
                    + "for it, and records who asked.")
    private boolean cleartext;

    public boolean isCleartext() {
        return cleartext;
    }

    /** How secrets of documents that are at hand here are shown. */
    public Redaction redaction() {
        return cleartext ? Redaction.CLEARTEXT : Redaction.of(hash, "");
    }

    /** How a running Strake is asked for them. */
    public List<Parameter> parameters() {
        return cleartext ? List.of(new Parameter("cleartext-secrets", "true")) : List.of();
    }
}
