package dev.strake.server.access;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.UnusableFileException;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.keyset.UnusableKeysetException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WatchedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The keyset of the installation, if the settings name one. Reloads the keyset when its file changes. */
public final class InstallationKeys implements InstalledKeys, AutoCloseable {

    private final Optional<WatchedFiles<Keyset>> file;
    private final KeyedHash hash;

    private InstallationKeys(Optional<WatchedFiles<Keyset>> file) {
        this.file = file;
        this.hash = file.map(present -> present.current().keyedHash()).orElseGet(KeyedHash::withRandomKey);
    }

    /**
     * Reads the keyset that the settings name.
     *
     * @throws MisconfiguredException if the keyset cannot be used, or is missing but needed by another setting
     */
    public static InstallationKeys of(Settings settings) {
        if (settings.get(Catalogue.SECRETS_KEYSET).isEmpty()) {
            if (settings.get(Catalogue.REQUIRE_SEALED)) {
                throw missing(Catalogue.REQUIRE_SEALED.name() + " needs a keyset to open what is sealed");
            }
            String output = settings.get(Catalogue.SECRETS_OUTPUT);
            if (!output.equals(Catalogue.SECRETS_OUTPUT.defaultValue())) {
                throw missing(Catalogue.SECRETS_OUTPUT.name() + "=" + output + " needs a keyset");
            }
        }
        return new InstallationKeys(settings.get(Catalogue.SECRETS_KEYSET).map(InstallationKeys::watched));
    }

    private static MisconfiguredException missing(String why) {
        return new MisconfiguredException(why + ": set " + Catalogue.SECRETS_KEYSET.name() + ".");
    }

    private static WatchedFiles<Keyset> watched(Path file) {
        return new WatchedFiles<>(
                Catalogue.SECRETS_KEYSET, List.of(file), contents -> keyset(contents.get(file), file));
    }

    private static Keyset keyset(byte[] content, Path file) throws UnusableFileException {
        try {
            KeysetFile keyset = KeysetFile.parse(content);
            keyset.checkPrivate(file);
            return keyset.keyset();
        } catch (UnusableKeysetException e) {
            throw new UnusableFileException(e.getMessage(), e);
        } catch (IOException e) {
            throw new UnusableFileException(
                    file + " cannot be read (" + e.getClass().getSimpleName() + ").", e);
        }
    }

    @Override
    public SecretKeys current() {
        return file.isPresent() ? file.get().current() : SecretKeys.NONE;
    }

    /** Returns a function that seals secrets sent in clear text over HTTP; empty if there is no keyset. */
    public Optional<SealedData.Seal> sealing() {
        return file.map(keys -> keys.current().publishingKey()::seal);
    }

    /** Returns a function that decrypts rendered documents published encrypted; empty if there is no keyset. */
    public Optional<SealedData.Open> opening() {
        return file.map(keys -> (encrypted, place) -> keys.current().open(Purpose.OUTPUT, encrypted, place));
    }

    /** Returns the public key file with which clients seal secrets; empty if there is no keyset. */
    public Optional<byte[]> publicKey() {
        return file.map(keys -> keys.current().publishingKey().file());
    }

    /** Returns the hash for masks and digests. Without a keyset they are comparable only within this process. */
    public KeyedHash keyedHash() {
        return hash;
    }

    /** Whether an older keyset is in use because the current file cannot be used. */
    public boolean isOutdated() {
        return file.map(WatchedFiles::isFailed).orElse(false);
    }

    @Override
    public void close() {
        file.ifPresent(WatchedFiles::close);
    }
}
