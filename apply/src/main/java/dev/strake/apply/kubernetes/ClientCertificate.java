package dev.strake.apply.kubernetes;

import dev.strake.client.tls.PrivateKeys;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.client.tls.UnusableKeyException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The certificate by which an API server knows the user of a kubeconfig. The client library takes keys of elliptic curves, as
 * k3s makes them, only with one more library; so keys are read here.
 */
final class ClientCertificate {

    private ClientCertificate() {}

    /** A client that shows the certificate of a kubeconfig, if that has one. */
    static HttpClient.Builder builder(Config config) throws IOException {
        Optional<byte[]> certificate = content(config.getClientCertData(), config.getClientCertFile());
        Optional<byte[]> key = content(config.getClientKeyData(), config.getClientKeyFile());
        if (certificate.isEmpty() || key.isEmpty()) {
            return new JdkHttpClientFactory().newBuilder(config);
        }
        config.setClientCertData(null);
        config.setClientCertFile(null);
        config.setClientKeyData(null);
        config.setClientKeyFile(null);
        try {
            List<X509Certificate> chain = TrustedCertificates.certificates(certificate.get());
            PrivateKey secret = PrivateKeys.read(key.get(), chain.get(0).getPublicKey());
            return new JdkHttpClientFactory()
                    .newBuilder(config)
                    .sslContext(PrivateKeys.managers(chain, secret), SSLUtils.trustManagers(config));
        } catch (UnusableKeyException e) {
            throw new FileSystemException("kubeconfig", null, "of its client key: " + words(e.getMessage()));
        } catch (GeneralSecurityException e) {
            throw new FileSystemException(
                    "kubeconfig",
                    null,
                    "its certificates cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private static String words(String sentence) {
        return sentence.replaceFirst("\\.$", "");
    }

    /* Data of a kubeconfig goes before the name of a file. */
    private static Optional<byte[]> content(String data, String file) throws IOException {
        if (data != null && !data.isEmpty()) {
            return Optional.of(Base64.getMimeDecoder().decode(data));
        }
        return file == null || file.isEmpty() ? Optional.empty() : Optional.of(Files.readAllBytes(Path.of(file)));
    }
}
