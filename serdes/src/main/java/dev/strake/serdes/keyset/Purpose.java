package dev.strake.serdes.keyset;

import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.daead.PredefinedDeterministicAeadParameters;
import com.google.crypto.tink.hybrid.HpkeParameters;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import java.security.GeneralSecurityException;
import java.util.Locale;

/** What keys of a keyset are for. Each purpose has keys of its own. */
public enum Purpose {
    /** Encrypts documents in stores: AES-256-GCM. */
    STORAGE("AES256-GCM"),
    /** A pair. Publishers encrypt with its public half, the service decrypts: HPKE (RFC 9180). */
    PUBLISHING("HPKE-X25519-AES256-GCM"),
    /** Encrypts rendered documents for consumers: AES-SIV (RFC 5297), so that equal documents are equal bytes. */
    OUTPUT("AES256-SIV"),
    /** Makes hashes and masks: HMAC-SHA-256. It is never replaced, or nothing stored would be equal to anything new. */
    HASHES("HMAC-SHA256");

    private final String algorithm;

    Purpose(String algorithm) {
        this.algorithm = algorithm;
    }

    /** The name in files and commands. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String algorithm() {
        return algorithm;
    }

    /** Whether its keys can be replaced. */
    public boolean canRotate() {
        return this != HASHES;
    }

    Parameters parameters() throws GeneralSecurityException {
        return switch (this) {
            case STORAGE -> PredefinedAeadParameters.AES256_GCM;
            case PUBLISHING ->
                HpkeParameters.builder()
                        .setKemId(HpkeParameters.KemId.DHKEM_X25519_HKDF_SHA256)
                        .setKdfId(HpkeParameters.KdfId.HKDF_SHA256)
                        .setAeadId(HpkeParameters.AeadId.AES_256_GCM)
                        .setVariant(HpkeParameters.Variant.TINK)
                        .build();
            case OUTPUT -> PredefinedDeterministicAeadParameters.AES256_SIV;
            case HASHES -> PredefinedPrfParameters.HMAC_SHA256_PRF;
        };
    }
}
