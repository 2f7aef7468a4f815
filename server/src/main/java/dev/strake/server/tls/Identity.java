package dev.strake.server.tls;

import dev.strake.client.tls.PrivateKeys;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.client.tls.UnusableFileException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * The certificate with which an instance authenticates itself, and the authorities it trusts for other instances.
 *
 * @param chain the certificate of the instance, and intermediate certificates
 * @param authorities sign the certificates of instances; empty without mutual TLS
 * @param context for connections in both directions
 */
record Identity(List<X509Certificate> chain, List<X509Certificate> authorities, SSLContext context) {

    /**
     * Reads an identity.
     *
     * @param certificate PEM
     * @param key PEM without a password; empty if the key is in the certificate file
     * @param authorities PEM; empty without mutual TLS
     * @throws UnusableFileException if the files do not match, or are not valid now; the message names the file unless
     *     it is the first
     */
    static Identity read(byte[] certificate, Optional<byte[]> key, Optional<byte[]> authorities, Instant now)
            throws UnusableFileException {
        List<X509Certificate> chain = new ArrayList<>();
        PrivateKey secret = ofPem(certificate, key, chain);
        X509Certificate own = chain.get(0);
        checkDates(own, now);
        List<X509Certificate> trusted =
                authorities.isPresent() ? authorities(authorities.get()) : List.<X509Certificate>of();
        try {
            return new Identity(List.copyOf(chain), trusted, context(chain, secret, trusted));
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException(
                    "Java cannot use it: " + e.getClass().getSimpleName() + ".", e);
        }
    }

    private static PrivateKey ofPem(byte[] certificate, Optional<byte[]> key, List<X509Certificate> chain)
            throws UnusableFileException {
        try {
            chain.addAll(TrustedCertificates.certificates(certificate));
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException(
                    "it has to hold certificates as PEM, which begin with -----BEGIN CERTIFICATE-----.", e);
        }
        try {
            return PrivateKeys.read(key.orElse(certificate), chain.get(0).getPublicKey());
        } catch (UnusableFileException e) {
            String where =
                    key.isEmpty() ? "strake.http.tls.key is not set, and " : "of the file in strake.http.tls.key: ";
            throw new UnusableFileException(where + e.getMessage(), e);
        }
    }

    private static void checkDates(X509Certificate own, Instant now) throws UnusableFileException {
        try {
            own.checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            throw new UnusableFileException(
                    "the certificate has expired at " + own.getNotAfter().toInstant() + ".", e);
        } catch (CertificateNotYetValidException e) {
            throw new UnusableFileException(
                    "the certificate is not valid before " + own.getNotBefore().toInstant() + ".", e);
        }
    }

    private static List<X509Certificate> authorities(byte[] pem) throws UnusableFileException {
        try {
            return TrustedCertificates.certificates(pem);
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException(
                    "of the file in strake.http.tls.ca: it has to hold certificates as PEM.", e);
        }
    }

    private static SSLContext context(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        TrustManager[] trust = authorities.isEmpty()
                ? null // the default authorities of Java
                : TrustedCertificates.trusting(authorities).getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(PrivateKeys.managers(chain, key), trust, null);
        return context;
    }
}
