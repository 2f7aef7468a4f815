package dev.strake.cli.option;

import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether to show secrets. */
public final class SecretsOption {

    /** Equal values have equal masks within a run. No other run has the key. */
    private final KeyedHash hash = KeyedHash.withRandomKey();

    @Option(
            names = "--cleartext-secrets",
            description = "Show secrets instead of redacting them. A running Strake requires the role secrets-reader, "
                    + "and records the access.")
    private boolean cleartext;

    public boolean isCleartext() {
        return cleartext;
    }

    /** How to show secrets in documents of files and records. */
    public Redaction redaction() {
        return cleartext ? Redaction.CLEARTEXT : Redaction.of(hash, "");
    }

    /** The query parameters for a running Strake. */
    public List<Parameter> parameters() {
        return cleartext ? List.of(new Parameter("cleartext-secrets", "true")) : List.of();
    }
}
