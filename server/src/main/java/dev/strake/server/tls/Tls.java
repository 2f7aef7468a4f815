package dev.strake.server.tls;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.UnusableFileException;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WatchedFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * The TLS certificate and key of this instance, reloaded when their files change. Existing connections keep the old
 * certificate.
 */
public final class Tls implements AutoCloseable {

    /** Older protocol versions have known weaknesses. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private final WatchedFiles<Identity> files;
    private final List<Consumer<SSLContext>> listeners = new CopyOnWriteArrayList<>();

    private Tls(Settings settings, List<Path> paths) {
        this.files = new WatchedFiles<>(Catalogue.HTTP_TLS_CERTIFICATE, paths, contents -> {
            Identity read = identity(settings, contents);
            listeners.forEach(each -> each.accept(read.context()));
            return read;
        });
    }

    /**
     * Reads the certificate that the settings name. Empty if they name none.
     *
     * @throws MisconfiguredException if the files cannot be used, or there is a key without a certificate
     */
    public static Optional<Tls> of(Settings settings) {
        List<Path> paths = Stream.of(Catalogue.HTTP_TLS_CERTIFICATE, Catalogue.HTTP_TLS_KEY, Catalogue.HTTP_TLS_CA)
                .flatMap(each -> settings.get(each).stream())
                .toList();
        if (paths.isEmpty()) {
            return Optional.empty();
        }
        if (settings.get(Catalogue.HTTP_TLS_CERTIFICATE).isEmpty()) {
            throw new MisconfiguredException("TLS needs a certificate: set " + Catalogue.HTTP_TLS_CERTIFICATE.name());
        }
        return Optional.of(new Tls(settings, paths));
    }

    private static Identity identity(Settings settings, Map<Path, byte[]> contents) throws UnusableFileException {
        return Identity.read(
                contents.get(settings.get(Catalogue.HTTP_TLS_CERTIFICATE).orElseThrow()),
                settings.get(Catalogue.HTTP_TLS_KEY).map(contents::get),
                settings.get(Catalogue.HTTP_TLS_CA).map(contents::get),
                Instant.now());
    }

    /** Returns the context for new connections. */
    public SSLContext context() {
        return files.current().context();
    }

    /** Registers a listener for new contexts, called on a thread that watches files. */
    public void whenChanged(Consumer<SSLContext> listener) {
        listeners.add(listener);
    }

    /** Whether instances authenticate each other with certificates (mutual TLS). */
    public boolean isMutual() {
        return !files.current().authorities().isEmpty();
    }

    /** When the current certificate expires. */
    public Instant expiry() {
        return files.current().chain().get(0).getNotAfter().toInstant();
    }

    /** Whether an older certificate is in use because the current files cannot be used. */
    public boolean isOutdated() {
        return files.isFailed();
    }

    @Override
    public void close() {
        files.close();
    }
}
