package dev.strake.server.tls;

import dev.strake.client.tls.PrivateKeys;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.client.tls.UnusableKeyException;
import dev.strake.server.access.UnusableFileException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * By what an instance proves who it is, and by what it knows others.
 *
 * @param chain its certificate, and those between that and an authority
 * @param authorities who signs certificates of instances; empty if these do not prove who they are
 * @param context for connections in both directions
 */
record Identity(List<X509Certificate> chain, List<X509Certificate> authorities, SSLContext context) {

    private static final String ANY_USE = "2.5.29.37.0";
    private static final String OF_CLIENTS = "1.3.6.1.5.5.7.3.2";
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;

    /**
     * The identity that files say.
     *
     * @param certificate PEM
     * @param key PEM without a password; empty if it is in the same file
     * @param authorities PEM; empty if instances do not prove who they are
     * @param host by which other instances call this one
     * @throws UnusableFileException if they do not go together, or nobody would trust them. The message names the file
     *     where it is not the first
     */
    static Identity read(
            byte[] certificate, Optional<byte[]> key, Optional<byte[]> authorities, Optional<String> host, Instant now)
            throws UnusableFileException {
        List<X509Certificate> chain = new ArrayList<>();
        PrivateKey secret = ofPem(certificate, key, chain);
        X509Certificate own = chain.get(0);
        checkDates(own, now);
        List<X509Certificate> trusted =
                authorities.isPresent() ? authorities(authorities.get()) : List.<X509Certificate>of();
        try {
            SSLContext context = context(chain, secret, trusted);
            if (!trusted.isEmpty()) {
                checkAmongInstances(chain, trusted, host);
            }
            return new Identity(List.copyOf(chain), trusted, context);
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
        } catch (UnusableKeyException e) {
            String where = key.isEmpty() ? "" : "of the file in strake.http.tls.key: ";
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
                ? null // those that Java trusts
                : TrustedCertificates.trusting(authorities).getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(PrivateKeys.managers(chain, key), trust, null);
        return context;
    }

    /* What another instance would find at the first question, said at the start. */
    private static void checkAmongInstances(
            List<X509Certificate> chain, List<X509Certificate> authorities, Optional<String> host)
            throws GeneralSecurityException, UnusableFileException {
        X509Certificate own = chain.get(0);
        List<String> uses = own.getExtendedKeyUsage();
        if (uses != null && !uses.contains(OF_CLIENTS) && !uses.contains(ANY_USE)) {
            throw new UnusableFileException(
                    "the certificate is not for clients (extended key usage clientAuth), and with"
                            + " strake.http.tls.ca instances prove to one another who they are.");
        }
        X509TrustManager manager =
                (X509TrustManager) TrustedCertificates.trusting(authorities).getTrustManagers()[0];
        try {
            manager.checkClientTrusted(
                    chain.toArray(X509Certificate[]::new), own.getPublicKey().getAlgorithm());
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException(
                    "none of the authorities in strake.http.tls.ca signed the certificate, so other instances would not trust this one.",
                    e);
        }
        if (host.isPresent() && !isFor(own, host.get())) {
            throw new UnusableFileException("the certificate has no name '" + host.get()
                    + "', by which strake.http.advertised tells other instances to call this one.");
        }
    }

    private static boolean isFor(X509Certificate certificate, String host) throws CertificateParsingException {
        if (certificate.getSubjectAlternativeNames() == null) {
            return false;
        }
        return certificate.getSubjectAlternativeNames().stream()
                .filter(name -> name.get(0).equals(DNS_NAME) || name.get(0).equals(ADDRESS))
                .anyMatch(name -> matches(name.get(1).toString(), host));
    }

    /* A star stands for the first label (RFC 9525). */
    static boolean matches(String name, String host) {
        String lower = name.toLowerCase(Locale.ROOT);
        String asked = host.toLowerCase(Locale.ROOT);
        int dot = asked.indexOf('.');
        return lower.equals(asked)
                || (lower.startsWith("*.") && dot > 0 && lower.substring(1).equals(asked.substring(dot)));
    }
}
