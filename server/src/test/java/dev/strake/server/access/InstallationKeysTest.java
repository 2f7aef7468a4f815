package dev.strake.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.strake.client.MisconfiguredException;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.secret.Purpose;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationKeysTest {

    private static final Text PASSWORD = new Text("hunter2");

    @TempDir
    private Path folder;

    @Test
    void shouldReloadTheKeysetWhenItWasRotated() throws Exception {
        Path file = folder.resolve("keyset");
        Keyset first = Keyset.create();
        new KeysetFile(first, Optional.empty()).create(file);

        try (InstallationKeys keys = InstallationKeys.of(named(file))) {
            String hash = keys.keyedHash().of("site-a", PASSWORD);
            assertThat(current(keys).keys()).isEqualTo(first.keys());
            Keyset rotated = first.rotated(Purpose.STORAGE);
            new KeysetFile(rotated, Optional.empty()).replace(file);

            await().atMost(Duration.ofMinutes(10))
                    .until(() -> current(keys).keys().equals(rotated.keys()));

            assertThat(keys.keyedHash().of("site-a", PASSWORD)).isEqualTo(hash);
            Files.writeString(file, "hunter2");
            await().atMost(Duration.ofMinutes(10)).until(keys::isOutdated);
            assertThat(current(keys).keys()).isEqualTo(rotated.keys());
        }
    }

    @Test
    void shouldRefuseToStartWithAnInvalidKeyset() throws Exception {
        Path file = Files.writeString(folder.resolve("keyset"), "hunter2");

        assertThatExceptionOfType(MisconfiguredException.class)
                .isThrownBy(() -> InstallationKeys.of(named(file)))
                .withMessageContaining("strake.secrets.keyset")
                .withMessageContaining("strake keys create")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
    }

    @Test
    void shouldCreateAKeyForMasksOfEachRunWithoutAKeyset() {
        try (InstallationKeys one = InstallationKeys.of(Settings.defaults());
                InstallationKeys other = InstallationKeys.of(Settings.defaults())) {
            assertThat(one.current().areThere()).isFalse();
            assertThat(one.keyedHash().of("site-a", PASSWORD))
                    .isNotEqualTo(other.keyedHash().of("site-a", PASSWORD));
        }
    }

    private static Keyset current(InstallationKeys keys) {
        return (Keyset) keys.current();
    }

    private static Settings named(Path file) {
        return Settings.defaults().with(Catalogue.SECRETS_KEYSET, file);
    }
}
