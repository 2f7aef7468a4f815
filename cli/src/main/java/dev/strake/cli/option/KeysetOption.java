package dev.strake.cli.option;

import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.keyset.UnusableKeysetException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The keyset with which a consumer decrypts rendered documents. */
public final class KeysetOption {

    @Option(
            names = "--secrets-keyset",
            paramLabel = "FILE",
            defaultValue = "${env:STRAKE_SECRETS_KEYSET}",
            description = "The keyset to decrypt published secrets. Default: STRAKE_SECRETS_KEYSET of the environment.")
    private Optional<Path> file = Optional.empty();

    /** Returns the keys as a function that decrypts records; empty if no keyset is given. */
    public Optional<SealedData.Open> opening() {
        return keys().map(keys -> keys.opening(Purpose.OUTPUT));
    }

    /** The keys; empty if no keyset is given. */
    public Optional<Keyset> keys() {
        if (file.isEmpty() || file.get().toString().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(KeysetFile.read(file.get()).keyset());
        } catch (UnusableKeysetException e) {
            throw new MisconfiguredException("The keyset " + file.get() + " cannot be used: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
