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
 * The certificate of this instance and its key, read again when their files change. Connections that there are go on with
 * what they began with.
 */
public final class Tls implements AutoCloseable {

    /** What is spoken: everything older has known weaknesses. */
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
     * As settings say; empty where they name no certificate.
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

    /** For connections that begin now. */
    public SSLContext context() {
        return files.current().context();
    }

    /** Tells of each new one, on a thread that watches files. */
    public void whenChanged(Consumer<SSLContext> listener) {
        listeners.add(listener);
    }

    /** Whether instances have to prove to one another who they are. */
    public boolean isMutual() {
        return !files.current().authorities().isEmpty();
    }

    /** When the certificate in force expires. */
    public Instant expiry() {
        return files.current().chain().get(0).getNotAfter().toInstant();
    }

    /** Whether the files, as they are now, cannot be used, so that older ones are in force. */
    public boolean isOutdated() {
        return files.isFailed();
    }

    @Override
    public void close() {
        files.close();
    }
}
