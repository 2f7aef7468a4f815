package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.serdes.secret.Purpose;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A keyset encrypted by a KMS whose client is a library on the class path, like those of clouds. */
class KmsTest {

    private static final String ONE = "local-kms://one";

    @TempDir
    private Path folder;

    private final Keyset keys = Keyset.create();
    private Path file;

    @BeforeEach
    void setUp() {
        file = folder.resolve("keyset");
    }

    @Test
    void shouldKeepAKeysetWithAServiceThatALibraryAnnounces() throws Exception {
        new KeysetFile(keys, Optional.of(ONE)).create(file);

        assertThat(Files.readString(file)).contains(ONE, "encryptedKeyset").doesNotContain("\"value\"");
        KeysetFile read = KeysetFile.read(file);
        assertThat(read.keyset().keys()).isEqualTo(keys.keys());
        assertThat(read.kms()).contains(ONE);
        byte[] place = {1};
        assertThat(read.keyset().open(Purpose.STORAGE, keys.seal(Purpose.STORAGE, new byte[] {7}, place), place))
                .containsExactly(7);
    }

    @Test
    void shouldReadAKeysetOfCiphertextsThatEverybodyCanRead() throws Exception {
        new KeysetFile(keys, Optional.of(ONE)).create(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(KeysetFile.read(file).keyset().keys()).isEqualTo(keys.keys());
    }

    @Test
    void shouldNotOpenAKeysetWithAnotherKeyOfTheService() throws Exception {
        new KeysetFile(keys, Optional.of(ONE)).create(file);
        Files.writeString(file, Files.readString(file).replace(ONE, "local-kms://two"));

        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> KeysetFile.read(file))
                .withMessageContaining("cannot be decrypted with local-kms://two");
    }

    @Test
    void shouldReportAFailingServiceForAnyExceptionOfItsLibrary() throws Exception {
        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> new KeysetFile(keys, Optional.of(LocalKms.DOWN)).create(file))
                .withMessageContaining("cannot be encrypted with local-kms://down")
                .withMessageContaining("IllegalStateException: no credentials here");
        assertThat(file).doesNotExist();
        new KeysetFile(keys, Optional.of(ONE)).create(file);
        Files.writeString(file, Files.readString(file).replace(ONE, LocalKms.DOWN));
        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> KeysetFile.read(file))
                .withMessageContaining("no credentials here");
    }

    @ParameterizedTest
    @CsvSource({
        "aws-kms://arn:aws:kms:us-east-1:1:key/k, needs the library tink-awskms on the class path",
        "GCP-KMS://projects/p/locations/l/keyRings/r/cryptoKeys/k, needs the library tink-gcpkms on the class path",
        "azure-kv://vault/key, no key management service supports azure-kv://vault/key"
    })
    void shouldSayWhichLibraryIsMissing(String uri, String why) {
        assertThatExceptionOfType(UnusableKeysetException.class)
                .isThrownBy(() -> new KeysetFile(keys, Optional.of(uri)).create(file))
                .withMessageContaining(why);
    }
}
