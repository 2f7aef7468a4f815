package dev.strake.serdes.keyset;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.text.PlainFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file with a keyset, in clear text or encrypted by a key management service (KMS):
 *
 * <pre>
 *  {"strake-keyset": 1, "kms": "hcvault://vault:8200/transit/keys/strake",
 *   "storage": …, "publishing": …, "output": …, "hashes": …}
 *
 *  kms        is left out if the keys are in clear
 *  storage …  keysets in Tink's JSON: clear ones, or encrypted ones whose associated data is "strake keyset storage"
 * </pre>
 *
 * <p>A keyset in clear text is written for its owner only, and rejected if all users can read or write it.
 *
 * @param kms the URI of the key that encrypts the keyset; empty if the keyset is in clear text
 */
public record KeysetFile(Keyset keyset, Optional<String> kms) {

    private static final String FORMAT = "strake-keyset";
    private static final String KMS = "kms";

    /**
     * Reads a keyset from a file.
     *
     * @throws IOException if the file cannot be read
     * @throws UnusableKeysetException if it is not a keyset, all users can read its keys, or the KMS cannot decrypt it
     */
    public static KeysetFile read(Path file) throws IOException, UnusableKeysetException {
        KeysetFile read = parse(Files.readAllBytes(PlainFile.of(file)));
        read.checkPrivate(file);
        return read;
    }

    /**
     * Parses the content of a keyset file.
     *
     * @throws UnusableKeysetException if the content is not a keyset, or the KMS cannot decrypt it
     */
    public static KeysetFile parse(byte[] file) throws UnusableKeysetException {
        MapValue content = content(file, FORMAT, "create one with 'strake keys create'");
        Optional<String> kms = content.get(KMS) instanceof Text uri ? Optional.of(uri.value()) : Optional.empty();
        Aead aead = kms.isPresent() ? Kms.aead(kms.get()) : null;
        Map<Purpose, KeysetHandle> handles = new EnumMap<>(Purpose.class);
        Keyset.ready();
        for (Purpose purpose : Purpose.values()) {
            String text = text(content, purpose.text());
            try {
                handles.put(
                        purpose,
                        aead == null
                                ? TinkJsonProtoKeysetFormat.parseKeyset(
                                        text, RegistryConfiguration.get(), InsecureSecretKeyAccess.get())
                                : TinkJsonProtoKeysetFormat.parseEncryptedKeyset(
                                        text, aead, place(purpose), RegistryConfiguration.get()));
            } catch (GeneralSecurityException | RuntimeException | LinkageError e) {
                throw new UnusableKeysetException(
                        aead == null
                                ? "its keys for " + purpose.text() + " cannot be parsed."
                                : "its keys for %s cannot be decrypted with %s: %s"
                                        .formatted(purpose.text(), kms.get(), Kms.said(e)),
                        e);
            }
        }
        try {
            return new KeysetFile(new Keyset(handles), kms);
        } catch (GeneralSecurityException e) {
            throw new UnusableKeysetException("it has keys of the wrong kind.", e);
        }
    }

    private byte[] bytes() throws UnusableKeysetException {
        MapValue.Builder content = MapValue.builder().put(FORMAT, Num.of(1));
        kms.ifPresent(uri -> content.put(KMS, new Text(uri)));
        Aead aead = kms.isPresent() ? Kms.aead(kms.get()) : null;
        for (Purpose purpose : Purpose.values()) {
            KeysetHandle handle = keyset.handle(purpose);
            try {
                String text = aead == null
                        ? TinkJsonProtoKeysetFormat.serializeKeyset(
                                handle, RegistryConfiguration.get(), InsecureSecretKeyAccess.get())
                        : TinkJsonProtoKeysetFormat.serializeEncryptedKeyset(
                                handle, aead, place(purpose), RegistryConfiguration.get());
                content.put(purpose.text(), JsonReader.read(text));
            } catch (GeneralSecurityException | RuntimeException | LinkageError e) {
                throw new UnusableKeysetException(
                        "its keys cannot be encrypted with " + kms.orElse("") + ": " + Kms.said(e), e);
            }
        }
        return lines(content.build());
    }

    /**
     * Creates a new file.
     *
     * @throws FileAlreadyExistsException if the file exists
     */
    public void create(Path file) throws IOException, UnusableKeysetException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString(), null, "it exists, and its keys may be in use");
        }
        replace(file);
    }

    /** Replaces the file atomically: a concurrent reader sees either the old file or the new one. */
    public void replace(Path file) throws IOException, UnusableKeysetException {
        byte[] content = bytes();
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path draft = Files.createTempFile(target.getParent(), ".keyset", ".tmp", onlyOwner(target));
        try {
            Files.write(draft, content);
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static FileAttribute<?>[] onlyOwner(Path file) throws IOException {
        return Files.getFileStore(file.getParent()).supportsFileAttributeView("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Checks that a file of this keyset does not expose its keys to all users. The group may have access, because
     * orchestrators pass files to containers by group.
     *
     * @throws UnusableKeysetException if all users can read or write the keys
     */
    public void checkPrivate(Path file) throws IOException, UnusableKeysetException {
        if (kms.isPresent() || !Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new UnusableKeysetException("all users of this machine can read or change it; run chmod 600 " + file);
        }
    }

    private static byte[] place(Purpose purpose) {
        return ("strake keyset " + purpose.text()).getBytes(StandardCharsets.UTF_8);
    }

    static MapValue content(byte[] file, String format, String howToMakeOne) throws UnusableKeysetException {
        Value content;
        try {
            content = JsonReader.read(file);
        } catch (IllegalArgumentException e) {
            throw new UnusableKeysetException("it is not JSON; " + howToMakeOne + ".", e);
        }
        if (!(content instanceof MapValue map) || !map.has(format)) {
            throw new UnusableKeysetException("it has no '" + format + "'; " + howToMakeOne + ".");
        }
        if (!Num.of(1).equals(map.get(format))) {
            throw new UnusableKeysetException("this version of Strake does not know its format.");
        }
        return map;
    }

    static String text(MapValue content, String key) throws UnusableKeysetException {
        Value value = content.get(key);
        if (value == null) {
            throw new UnusableKeysetException("it has no '" + key + "'.");
        }
        return JsonBytes.text(value);
    }

    static byte[] lines(MapValue content) {
        return (JsonBytes.text(content) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "a keyset file";
    }
}
