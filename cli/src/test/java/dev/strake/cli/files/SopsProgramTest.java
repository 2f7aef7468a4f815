package dev.strake.cli.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of SOPS. A script replaces the program: it takes the same arguments, and reverses encrypted values. */
class SopsProgramTest {

    private static final String ENCRYPTED = """
        schema: example/Password/v1
        metadata: {schema: metadata/Document/v1, name: db, storagePolicy: encrypted, layeringDefinition: {layer: site}}
        data: ENC[AES256_GCM,data:nekot,iv:AA==,tag:AA==,type:str]
        sops:
          mac: ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]
        """;

    @TempDir
    Path directory;

    private SopsProgram program(String script) throws Exception {
        Path file = directory.resolve("sops");
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new SopsProgram(file.toString());
    }

    private static SopsProgram.UndecryptedException failure(SopsProgram program, byte[] text) {
        return catchThrowableOfType(
                SopsProgram.UndecryptedException.class, () -> program.decrypted(text, "site/db.yaml"));
    }

    @Test
    void shouldRecognizeEncryptedFiles() {
        assertThat(SopsProgram.isEncrypted(ENCRYPTED.getBytes(UTF_8))).isTrue();
        assertThat(SopsProgram.isEncrypted("{\"data\": \"ENC[x]\",\n \"sops\": {}}".getBytes(UTF_8)))
                .isTrue();
        assertThat(SopsProgram.isEncrypted("data: ENC[x]\n".getBytes(UTF_8))).isFalse();
        assertThat(SopsProgram.isEncrypted("sops: about it\n".getBytes(UTF_8))).isFalse();
        assertThat(SopsProgram.hasEncrypted(MapValue.of("a", new Text("ENC[AES256_GCM,…]"))))
                .isTrue();
        assertThat(SopsProgram.hasEncrypted(MapValue.of("a", new Text("clear"))))
                .isFalse();
    }

    @Test
    void shouldLetTheProgramDecrypt() throws Exception {
        SopsProgram sops = program("""
                [ "$1" = --decrypt ] && [ "$3" = yaml ] && [ "$5" = yaml ] || exit 2
                sed -e '/^sops:/,$d' -e 's/ENC.*data:nekot.*/token/' "$6"
                """);

        assertThat(new String(sops.decrypted(ENCRYPTED.getBytes(UTF_8), "site/db.yaml"), UTF_8))
                .endsWith("data: token\n");
    }

    @Test
    void shouldMoveMoreThanAPipeHolds() throws Exception {
        String large = ENCRYPTED + "#" + "x".repeat(1 << 20) + "\n";

        assertThat(program("cat \"$6\"").decrypted(large.getBytes(UTF_8), "a")).hasSize(large.length());
    }

    @Test
    void shouldSayWhyDecryptionFails() throws Exception {
        SopsProgram.UndecryptedException failed =
                failure(program("echo 'Failed to get the data key' >&2; exit 128"), ENCRYPTED.getBytes(UTF_8));

        assertThat(failed.problem().describe())
                .contains("site/db.yaml", "does not decrypt it: Failed to get the data key");
        assertThat(failure(new SopsProgram(directory.resolve("none").toString()), ENCRYPTED.getBytes(UTF_8))
                        .problem()
                        .describe())
                .contains("encrypted with SOPS", "cannot be run", "strake seal");
    }
}
