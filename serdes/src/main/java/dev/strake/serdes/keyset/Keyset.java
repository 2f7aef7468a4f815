package dev.strake.serdes.keyset;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.DeterministicAead;
import com.google.crypto.tink.HybridDecrypt;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.daead.AesSivKey;
import com.google.crypto.tink.daead.AesSivParameters;
import com.google.crypto.tink.daead.DeterministicAeadConfig;
import com.google.crypto.tink.daead.PredefinedDeterministicAeadParameters;
import com.google.crypto.tink.hybrid.HpkeParameters;
import com.google.crypto.tink.hybrid.HybridConfig;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig;
import com.google.crypto.tink.prf.PrfSet;
import com.google.crypto.tink.util.SecretBytes;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.serdes.secret.Ciphertext;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of an installation. Immutable: replacing a key creates another keyset.
 *
 * <p>Each purpose has one primary key, which encrypts; all its keys decrypt. Keys are in the order of their creation.
 * Keys before the primary one are old. Keys after it are prepared: they only decrypt, so that all instances can receive
 * them before any instance encrypts with them.
 *
 * <p>A ciphertext begins with the id of its key ({@link Ciphertext}), so messages can name a missing key.
 */
public final class Keyset implements SecretKeys {

    private static final int SIV_KEY_BYTES = 64;
    private static final String HMAC = "HmacSHA256";

    private final Map<Purpose, KeysetHandle> handles;
    private final Aead storage;
    private final DeterministicAead output;
    private final HybridDecrypt publishing;
    private final PrfSet hashes;
    private final DeterministicAead hashSealing;
    private final KeyedHash keyedHash;

    /**
     * The description of a key, without its secret.
     *
     * @param id the id as shown in messages
     */
    public record Key(Purpose purpose, String id, State state) {}

    /** The state of a key. */
    public enum State {
        /** Decrypts what it encrypted before. */
        OLD,
        /** Encrypts and decrypts. */
        PRIMARY,
        /** Decrypts, and becomes primary with the next rotation. */
        PREPARED
    }

    static {
        try {
            AeadConfig.register();
            DeterministicAeadConfig.register();
            HybridConfig.register();
            PrfConfig.register();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Tink cannot be set up", e);
        }
    }

    /** Loads this class, which registers the algorithms with Tink. */
    static void ready() {}

    Keyset(Map<Purpose, KeysetHandle> handles) throws GeneralSecurityException {
        this.handles = new EnumMap<>(handles);
        this.storage = handles.get(Purpose.STORAGE).getPrimitive(RegistryConfiguration.get(), Aead.class);
        this.output = handles.get(Purpose.OUTPUT).getPrimitive(RegistryConfiguration.get(), DeterministicAead.class);
        this.publishing =
                handles.get(Purpose.PUBLISHING).getPrimitive(RegistryConfiguration.get(), HybridDecrypt.class);
        this.hashes = handles.get(Purpose.HASHES).getPrimitive(RegistryConfiguration.get(), PrfSet.class);
        this.keyedHash = KeyedHash.withKey(derived("masks", KeyedHash.KEY_BYTES));
        this.hashSealing = hashSealing();
    }

    /* Derived from the key for hashes, so it is never replaced either, and has the same id. */
    private DeterministicAead hashSealing() throws GeneralSecurityException {
        AesSivParameters parameters = AesSivParameters.builder()
                .setKeySizeBytes(SIV_KEY_BYTES)
                .setVariant(AesSivParameters.Variant.TINK)
                .build();
        int id = current(Purpose.HASHES);
        AesSivKey key = AesSivKey.builder()
                .setParameters(parameters)
                .setKeyBytes(
                        SecretBytes.copyFrom(derived("stored hashes", SIV_KEY_BYTES), InsecureSecretKeyAccess.get()))
                .setIdRequirement(id)
                .build();
        return KeysetHandle.newBuilder()
                .addEntry(KeysetHandle.importKey(key).makePrimary())
                .build()
                .getPrimitive(RegistryConfiguration.get(), DeterministicAead.class);
    }

    /** Creates new keys for all purposes. */
    public static Keyset create() {
        try {
            Map<Purpose, KeysetHandle> handles = new EnumMap<>(Purpose.class);
            for (Purpose purpose : Purpose.values()) {
                handles.put(
                        purpose,
                        KeysetHandle.newBuilder()
                                .addEntry(newKey(purpose).makePrimary())
                                .build());
            }
            return new Keyset(handles);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("keys cannot be generated", e);
        }
    }

    private static KeysetHandle.Builder.Entry newKey(Purpose purpose) throws GeneralSecurityException {
        return KeysetHandle.generateEntryFromParameters(parameters(purpose)).withRandomId();
    }

    private static Parameters parameters(Purpose purpose) throws GeneralSecurityException {
        return switch (purpose) {
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

    KeysetHandle handle(Purpose purpose) {
        return handles.get(purpose);
    }

    /** All keys, by purpose, in the order of their creation. */
    public List<Key> keys() {
        return handles.keySet().stream()
                .flatMap(purpose -> keys(purpose).stream())
                .toList();
    }

    private List<Key> keys(Purpose purpose) {
        KeysetHandle handle = handles.get(purpose);
        List<Key> keys = new ArrayList<>();
        State state = State.OLD;
        for (int i = 0; i < handle.size(); i++) {
            boolean isPrimary = handle.getAt(i).isPrimary();
            keys.add(new Key(
                    purpose,
                    SecretKeyNotFoundException.text(handle.getAt(i).getId()),
                    isPrimary ? State.PRIMARY : state));
            state = isPrimary ? State.PREPARED : state;
        }
        return keys;
    }

    private int next(Purpose purpose) {
        return 1 + keys(purpose).stream().map(Key::state).toList().indexOf(State.PRIMARY);
    }

    /**
     * Returns a keyset whose primary key is the prepared one, or else a new one.
     *
     * @throws IllegalArgumentException if keys of this purpose cannot be replaced
     */
    public Keyset rotated(Purpose purpose) {
        return changed(purpose, builder -> {
            int next = next(purpose);
            if (next == builder.size()) {
                builder.addEntry(newKey(purpose));
            }
            builder.getAt(next).makePrimary();
        });
    }

    /**
     * Returns a keyset that has a prepared key. Returns this keyset if it has one already.
     *
     * @throws IllegalArgumentException if keys of this purpose cannot be replaced
     */
    public Keyset prepared(Purpose purpose) {
        return changed(purpose, builder -> {
            if (next(purpose) == builder.size()) {
                builder.addEntry(newKey(purpose));
            }
        });
    }

    /**
     * Returns a keyset without one of the keys. Data encrypted with that key can no longer be read.
     *
     * @throws IllegalArgumentException if the key does not exist, or is primary
     */
    public Keyset without(String id) {
        Key key = keys().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the keyset has no key " + id));
        if (key.state() == State.PRIMARY) {
            throw new IllegalArgumentException("the key " + id + " is the primary key: rotate first");
        }
        return changed(
                key.purpose(), builder -> builder.deleteAt(keys(key.purpose()).indexOf(key)));
    }

    private interface Edit {
        void apply(KeysetHandle.Builder builder) throws GeneralSecurityException;
    }

    private Keyset changed(Purpose purpose, Edit edit) {
        if (!purpose.canRotate()) {
            throw new IllegalArgumentException("the key for " + purpose.text()
                    + " cannot be replaced, because stored hashes would no longer equal new ones");
        }
        try {
            KeysetHandle.Builder builder = KeysetHandle.newBuilder(handles.get(purpose));
            edit.apply(builder);
            Map<Purpose, KeysetHandle> changed = new EnumMap<>(handles);
            changed.put(purpose, builder.build());
            return new Keyset(changed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the keyset cannot be changed", e);
        }
    }

    /** The public keys with which publishers encrypt. */
    public PublishingKey publishingKey() {
        try {
            return new PublishingKey(handles.get(Purpose.PUBLISHING).getPublicKeysetHandle());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key pair has no public key", e);
        }
    }

    @Override
    public boolean areThere() {
        return true;
    }

    @Override
    public byte[] authenticate(byte[] statement) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(derived("statements", KeyedHash.KEY_BYTES), HMAC));
            return mac.doFinal(statement);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot be authenticated", e);
        }
    }

    @Override
    public KeyedHash keyedHash() {
        return keyedHash;
    }

    /* Derives bytes that are specific to this installation and use, and never change. */
    private byte[] derived(String use, int size) throws GeneralSecurityException {
        byte[] derived = new byte[size];
        for (int at = 0; at < size; at += KeyedHash.KEY_BYTES) {
            String part = "strake " + use + (at == 0 ? "" : " " + at);
            byte[] some = hashes.computePrimary(part.getBytes(StandardCharsets.UTF_8), KeyedHash.KEY_BYTES);
            System.arraycopy(some, 0, derived, at, KeyedHash.KEY_BYTES);
        }
        return derived;
    }

    @Override
    public int current(Purpose purpose) {
        return handles.get(purpose).getPrimary().getId();
    }

    @Override
    public byte[] seal(Purpose purpose, byte[] clear, byte[] place) {
        try {
            return switch (purpose) {
                case STORAGE -> storage.encrypt(clear, place);
                case OUTPUT -> output.encryptDeterministically(clear, place);
                case HASHES -> hashSealing.encryptDeterministically(clear, place);
                case PUBLISHING -> throw new IllegalArgumentException("only publishers encrypt with the public key");
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot be encrypted", e);
        }
    }

    @Override
    public byte[] open(Purpose purpose, byte[] sealed, byte[] place) {
        int id = Ciphertext.keyOf(sealed);
        if (!has(purpose, id)) {
            throw new SecretKeyNotFoundException(id);
        }
        try {
            return switch (purpose) {
                case STORAGE -> storage.decrypt(sealed, place);
                case OUTPUT -> output.decryptDeterministically(sealed, place);
                case HASHES -> hashSealing.decryptDeterministically(sealed, place);
                case PUBLISHING -> publishing.decrypt(sealed, place);
            };
        } catch (GeneralSecurityException e) {
            throw (DoesNotOpenException) new DoesNotOpenException().initCause(e);
        }
    }

    /** Returns decryption for a purpose, as {@link #open}. */
    public SealedData.Open opening(Purpose purpose) {
        return (ciphertext, place) -> open(purpose, ciphertext, place);
    }

    @Override
    public boolean has(Purpose purpose, int id) {
        KeysetHandle keys = handles.get(purpose);
        return IntStream.range(0, keys.size()).anyMatch(i -> keys.getAt(i).getId() == id);
    }

    @Override
    public String toString() {
        return "a keyset";
    }
}
