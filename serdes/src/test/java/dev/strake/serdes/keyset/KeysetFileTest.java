package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.tree.Text;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysetFileTest {

    private static final byte[] PASSWORD = "hunter2".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private final Keyset keys = Keyset.create();
    private Path file;

    @BeforeEach
    void setUp() {
        file = folder.resolve("keyset");
    }

    @Test
    void shouldKeepAllKeysInAFile() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);

        Keyset read = KeysetFile.read(file).keyset();

        assertThat(read.keys()).isEqualTo(keys.keys());
        assertThat(read.open(Purpose.STORAGE, keys.seal(Purpose.STORAGE, PASSWORD, PASSWORD), PASSWORD))
                .isEqualTo(PASSWORD);
        assertThat(read.seal(Purpose.OUTPUT, PASSWORD, PASSWORD))
                .isEqualTo(keys.seal(Purpose.OUTPUT, PASSWORD, PASSWORD));
        assertThat(read.open(Purpose.PUBLISHING, keys.publishingKey().seal(PASSWORD, PASSWORD), PASSWORD))
                .isEqualTo(PASSWORD);
        assertThat(read.keyedHash().of("site-a", new Text("hunter2")))
                .isEqualTo(keys.keyedHash().of("site-a", new Text("hunter2")));
    }

    @Test
    void shouldCreateAFileThatOnlyItsOwnerCanRead() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void shouldRejectAFileThatEverybodyCanRead() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> KeysetFile.read(file))
                .withMessageContaining("chmod 600");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
        assertThat(KeysetFile.read(file).keyset().keys()).isEqualTo(keys.keys());
    }

    @Test
    void shouldNeverOverwriteKeysByNewOnes() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> new KeysetFile(Keyset.create(), Optional.empty()).create(file));
        assertThat(KeysetFile.read(file).keyset().keys()).isEqualTo(keys.keys());
    }

    @Test
    void shouldReplaceTheFileThatALinkPointsTo() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        new KeysetFile(keys.rotated(Purpose.STORAGE), Optional.empty()).replace(link);

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(KeysetFile.read(file).keyset().keys()).hasSize(keys.keys().size() + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hunter2",
                "[]",
                "{}",
                "{\"strake-keyset\":2}",
                "{\"strake-keyset\":1}",
                "{\"strake-keyset\":1,\"storage\":{\"hunter2\":1},\"publishing\":{},\"output\":{},\"hashes\":{}}",
                "{\"strake-keyset\":1,\"kms\":\"nokms://hunter2\"}"
            })
    void shouldRejectInvalidKeysets(String content) {
        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> KeysetFile.parse(content.getBytes(StandardCharsets.UTF_8)))
                .satisfies(e -> assertThat(e.getMessage()).endsWith("."));
    }

    @Test
    void shouldRejectAKeysetWithSwappedParts() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);
        String swapped = Files.readString(file)
                .replace("\"storage\":", "\"swap\":")
                .replace("\"hashes\":", "\"storage\":")
                .replace("\"swap\":", "\"hashes\":");

        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> KeysetFile.parse(swapped.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldShowNoKeyInPublicKeysAndMessages() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);
        String secret = Files.readString(file);

        assertThat(new String(keys.publishingKey().file(), StandardCharsets.UTF_8))
                .doesNotContain("PRIVATE", "\"SYMMETRIC");
        assertThat(secret).contains("PRIVATE", "SYMMETRIC");
        assertThat(keys + "" + KeysetFile.read(file)).isEqualTo("a keyseta keyset file");
    }

    @Test
    void shouldRejectASecretKeysetAsAPublishingKey() throws Exception {
        new KeysetFile(keys, Optional.empty()).create(file);
        byte[] disguised = Files.readString(file)
                .replace("strake-keyset", "strake-publishing-key")
                .replace("\"publishing\"", "\"keys\"")
                .getBytes(StandardCharsets.UTF_8);

        assertThatExceptionOfType(UnusableKeysetException.class).isThrownBy(() -> PublishingKey.read(disguised));
    }

    @Test
    void shouldNameTheKeyThatIsMissing() {
        assertThat(new SecretKeyNotFoundException(0x1a2b)).hasMessage("there is no key 00001a2b");
    }
}
