package dev.strake.serdes.keyset;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KmsClient;
import com.google.crypto.tink.subtle.AesGcmJce;
import dev.strake.engine.tree.Hasher;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** A KMS in this process, registered as a service like real libraries: one key for each {@code local-kms://NAME}. */
public final class LocalKms implements KmsClient {

    static final String DOWN = "local-kms://down";

    @Override
    public boolean doesSupport(String uri) {
        return uri.startsWith("local-kms://");
    }

    @Override
    public KmsClient withCredentials(String path) {
        return this;
    }

    @Override
    public KmsClient withDefaultCredentials() {
        return this;
    }

    @Override
    public Aead getAead(String uri) throws GeneralSecurityException {
        if (uri.equals(DOWN)) {
            return new Down();
        }
        return new AesGcmJce(Hasher.sha256().digest(uri.getBytes(StandardCharsets.UTF_8)));
    }

    /** Fails like the clients of cloud services: with an exception unknown to Tink. */
    private static final class Down implements Aead {

        @Override
        public byte[] encrypt(byte[] clear, byte[] place) {
            throw new IllegalStateException("no credentials here");
        }

        @Override
        public byte[] decrypt(byte[] sealed, byte[] place) {
            throw new IllegalStateException("no credentials here");
        }
    }
}
