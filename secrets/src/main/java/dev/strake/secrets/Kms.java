package dev.strake.secrets;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KmsClient;
import java.security.GeneralSecurityException;
import java.util.ServiceLoader;

/**
 * Finds the key management service for a URI. HashiCorp Vault comes with Strake; Tink's libraries for others, such as
 * {@code tink-awskms} and {@code tink-gcpkms}, are found if they are on the class path and announce themselves.
 */
final class Kms {

    private Kms() {}

    /** What encrypts with the key that the URI names. Each use asks the service. */
    static Aead aead(String uri) throws UnusableKeysetException {
        for (KmsClient client : ServiceLoader.load(KmsClient.class)) {
            if (client.doesSupport(uri)) {
                try {
                    return client.withDefaultCredentials().getAead(uri);
                } catch (GeneralSecurityException e) {
                    throw new UnusableKeysetException(uri + " cannot be used: " + e.getMessage(), e);
                }
            }
        }
        throw new UnusableKeysetException("no key management service here knows " + uri
                + ": hcvault://HOST:PORT/MOUNT/keys/NAME is known, and what libraries on the class path add.");
    }
}
