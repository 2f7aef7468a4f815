package dev.strake.serdes.keyset;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KmsClient;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds the key management service for a URI. Support for HashiCorp Vault is built in. Libraries on the class path add
 * others: those that register a {@link KmsClient} as a service, and those of Tink, which do not register theirs.
 */
final class Kms {

    private static final List<Library> OF_TINK = List.of(
            new Library("aws-kms://", "tink-awskms", "com.google.crypto.tink.integration.awskms.AwsKmsClient"),
            new Library("gcp-kms://", "tink-gcpkms", "com.google.crypto.tink.integration.gcpkms.GcpKmsClient"));

    private static final String HOW = "docs/secrets.md says how to add it";

    private record Library(String prefix, String name, String client) {}

    private Kms() {}

    /**
     * Returns encryption with the key that the URI names. Each operation calls the service.
     *
     * @throws UnusableKeysetException if no library supports the URI, or the service does not work
     */
    static Aead aead(String uri) throws UnusableKeysetException {
        try {
            return client(uri).withDefaultCredentials().getAead(uri);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new UnusableKeysetException(uri + " cannot be used: " + said(e), e);
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new UnusableKeysetException(
                    "a dependency of the library for " + uri + " is missing (" + said(e) + "); " + HOW + ".", e);
        }
    }

    private static KmsClient client(String uri) throws UnusableKeysetException {
        for (KmsClient client : ServiceLoader.load(KmsClient.class)) {
            if (client.doesSupport(uri)) {
                return client;
            }
        }
        for (Library library : OF_TINK) {
            if (uri.toLowerCase(Locale.ROOT).startsWith(library.prefix)) {
                return client(library, uri);
            }
        }
        throw new UnusableKeysetException("no key management service supports " + uri
                + ". Use hcvault://HOST:PORT/MOUNT/keys/NAME, or add a library to the class path ("
                + "docs/secrets.md).");
    }

    private static KmsClient client(Library library, String uri) throws UnusableKeysetException {
        try {
            return Class.forName(library.client)
                    .asSubclass(KmsClient.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ClassNotFoundException e) {
            throw new UnusableKeysetException(
                    uri + " needs the library " + library.name + " on the class path; " + HOW + ".", e);
        } catch (ReflectiveOperationException e) {
            throw new UnusableKeysetException("the library " + library.name + " has an unexpected version.", e);
        }
    }

    /** Libraries report unavailable services and missing credentials with exceptions of many types. */
    static String said(Throwable e) {
        return e instanceof GeneralSecurityException && e.getMessage() != null
                ? e.getMessage()
                : e.getClass().getSimpleName() + ": " + e.getMessage();
    }
}
