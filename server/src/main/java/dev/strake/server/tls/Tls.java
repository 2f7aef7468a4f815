package dev.strake.server.tls;

import dev.strake.client.MisconfiguredException;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.server.access.UnusableFileException;
import dev.strake.server.access.WatchedFiles;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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

    private Tls(List<Setting<Optional<Path>>> settings, List<Path> paths, Optional<String> host) {
        this.files = new WatchedFiles<>(
                Catalogue.HTTP_TLS_CERTIFICATE.name(),
                paths,
                TrustedCertificates.MOST_BYTES,
                contents -> identity(settings, contents, host),
                changed -> listeners.forEach(each -> each.accept(changed.context())));
    }

    /**
     * As settings say; empty where they name no certificate.
     *
     * @throws MisconfiguredException if the files cannot be used, or there is a key without a certificate
     */
    public static Optional<Tls> of(Settings all) {
        List<Setting<Optional<Path>>> settings = new ArrayList<>();
        List<Path> paths = new ArrayList<>();
        for (Setting<Optional<Path>> each :
                List.of(Catalogue.HTTP_TLS_CERTIFICATE, Catalogue.HTTP_TLS_KEY, Catalogue.HTTP_TLS_CA)) {
            all.get(each).ifPresent(path -> {
                settings.add(each);
                paths.add(path);
            });
        }
        if (settings.isEmpty()) {
            return Optional.empty();
        }
        if (!settings.contains(Catalogue.HTTP_TLS_CERTIFICATE)) {
            throw new MisconfiguredException("%s is set and %s is not: TLS needs a certificate."
                    .formatted(settings.get(0).name(), Catalogue.HTTP_TLS_CERTIFICATE.name()));
        }
        return Optional.of(
                new Tls(settings, paths, all.get(Catalogue.HTTP_ADVERTISED).map(Tls::host)));
    }

    private static String host(String advertised) {
        return advertised.substring(0, advertised.lastIndexOf(':'));
    }

    private static Identity identity(
            List<Setting<Optional<Path>>> settings, List<byte[]> contents, Optional<String> host)
            throws UnusableFileException {
        return Identity.read(
                contents.get(0),
                content(Catalogue.HTTP_TLS_KEY, settings, contents),
                content(Catalogue.HTTP_TLS_CA, settings, contents),
                host,
                Instant.now());
    }

    private static Optional<byte[]> content(
            Setting<?> setting, List<Setting<Optional<Path>>> settings, List<byte[]> contents) {
        int index = settings.indexOf(setting);
        return index < 0 ? Optional.empty() : Optional.of(contents.get(index));
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
