package dev.strake.cli.option;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.keyset.PublishingKey;
import dev.strake.serdes.keyset.UnusableKeysetException;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.text.PlainFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The public key with which a command seals secret documents before it sends them. */
public final class SealingOption {

    @Option(
            names = "--public-key",
            paramLabel = "FILE",
            defaultValue = "${env:STRAKE_PUBLIC_KEY_FILE}",
            description = "Seal documents with storagePolicy encrypted with this public key of the installation, which "
                    + "'strake keys public' prints. With --url, the key comes from the service. Default: "
                    + "STRAKE_PUBLIC_KEY_FILE of the environment.")
    private Optional<Path> file = Optional.empty();

    /**
     * Seals the secrets of documents. Returns the documents unchanged if there is no key.
     *
     * @param url provides the key if the command names a service, and there is something to seal
     */
    public List<MapValue> sealed(List<MapValue> documents, String workspace, UrlOption url)
            throws IOException, InterruptedException {
        if (documents.stream().noneMatch(SealingOption::isToSeal)) {
            return documents;
        }
        Optional<PublishingKey> key = key(url);
        return key.isEmpty() ? documents : sealed(documents, workspace, key.get());
    }

    public static List<MapValue> sealed(List<MapValue> documents, String workspace, PublishingKey key) {
        return documents.stream()
                .map(document -> SealedData.forService(document, workspace, key::seal))
                .toList();
    }

    public static boolean isToSeal(MapValue document) {
        return StoragePolicy.isEncrypted(document) && !SealedData.isSealed(document);
    }

    /** Returns the key of the file as a function that seals; empty if no file is given. */
    public Optional<SealedData.Seal> sealing() throws IOException {
        return keyOfFile().map(key -> key::seal);
    }

    private Optional<PublishingKey> keyOfFile() throws IOException {
        if (file.isEmpty() || file.get().toString().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                read(Files.readAllBytes(PlainFile.of(file.get())), file.get().toString()));
    }

    /** Returns the key of the file or of the service that the command names; empty if there is none. */
    public Optional<PublishingKey> key(UrlOption url) throws IOException, InterruptedException {
        Optional<PublishingKey> given = keyOfFile();
        if (given.isPresent() || !url.isGiven()) {
            return given;
        }
        try {
            return Optional.of(read(url.client().publicKey(), "what the service answers"));
        } catch (NotFoundException e) {
            return Optional.empty(); // the service has no keyset
        }
    }

    private static PublishingKey read(byte[] content, String origin) {
        try {
            return PublishingKey.read(content);
        } catch (UnusableKeysetException e) {
            throw new MisconfiguredException(
                    "The public key (%s) cannot be used: %s".formatted(origin, e.getMessage()), e);
        }
    }
}
