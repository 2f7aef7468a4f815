package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.tree.Text;
import dev.strake.serdes.keyset.Keyset.State;
import dev.strake.serdes.secret.Ciphertext;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeysetTest {

    private static final byte[] PASSWORD = utf8("hunter2");
    private static final byte[] PLACE = utf8("documents site-a db");

    private final Keyset keys = Keyset.create();

    @Test
    void shouldOpenACiphertextOnlyInItsPlace() {
        byte[] sealed = keys.seal(Purpose.STORAGE, PASSWORD, PLACE);

        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("hunter2");
        assertThat(keys.open(Purpose.STORAGE, sealed, PLACE)).isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.STORAGE, sealed, utf8("documents site-b db")));
    }

    @Test
    void shouldNotOpenAChangedCiphertext() {
        byte[] sealed = keys.seal(Purpose.STORAGE, PASSWORD, PLACE);
        sealed[sealed.length - 1] ^= 1;

        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.STORAGE, sealed, PLACE));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.STORAGE, PASSWORD, PLACE));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.STORAGE, new byte[0], PLACE));
    }

    @Test
    void shouldSealTheSameDifferentlyForStorageAndAlikeForConsumers() {
        assertThat(keys.seal(Purpose.STORAGE, PASSWORD, PLACE))
                .isNotEqualTo(keys.seal(Purpose.STORAGE, PASSWORD, PLACE));
        assertThat(keys.seal(Purpose.OUTPUT, PASSWORD, PLACE)).isEqualTo(keys.seal(Purpose.OUTPUT, PASSWORD, PLACE));
        assertThat(keys.open(Purpose.OUTPUT, keys.seal(Purpose.OUTPUT, PASSWORD, PLACE), PLACE))
                .isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(
                        () -> keys.open(Purpose.OUTPUT, keys.seal(Purpose.OUTPUT, PASSWORD, PLACE), utf8("another")));
    }

    @Test
    void shouldOpenCiphertextsOfPublishers() throws UnusableKeysetException {
        PublishingKey key = PublishingKey.read(keys.publishingKey().file());

        byte[] sealed = key.seal(PASSWORD, PLACE);

        assertThat(keys.open(Purpose.PUBLISHING, sealed, PLACE)).isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.PUBLISHING, sealed, utf8("another")));
    }

    @Test
    void shouldStillOpenAfterARotation() {
        byte[] before = keys.seal(Purpose.STORAGE, PASSWORD, PLACE);
        Keyset rotated = keys.rotated(Purpose.STORAGE);
        byte[] after = rotated.seal(Purpose.STORAGE, PASSWORD, PLACE);

        assertThat(rotated.open(Purpose.STORAGE, before, PLACE)).isEqualTo(PASSWORD);
        assertThat(rotated.open(Purpose.STORAGE, after, PLACE)).isEqualTo(PASSWORD);
        assertThat(Ciphertext.keyOf(before)).isNotEqualTo(rotated.current(Purpose.STORAGE));
        assertThat(Ciphertext.keyOf(after)).isEqualTo(rotated.current(Purpose.STORAGE));
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> keys.open(Purpose.STORAGE, after, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(rotated, Purpose.STORAGE)));
    }

    @Test
    void shouldDistributeAKeyBeforeItEncrypts() {
        Keyset prepared = keys.prepared(Purpose.STORAGE);
        Keyset rotated = prepared.rotated(Purpose.STORAGE);

        assertThat(states(prepared)).containsExactly(State.PRIMARY, State.PREPARED);
        assertThat(prepared.prepared(Purpose.STORAGE).keys()).isEqualTo(prepared.keys());
        assertThat(states(rotated)).containsExactly(State.OLD, State.PRIMARY);
        assertThat(prepared.open(Purpose.STORAGE, rotated.seal(Purpose.STORAGE, PASSWORD, PLACE), PLACE))
                .isEqualTo(PASSWORD);
        assertThat(Ciphertext.keyOf(prepared.seal(Purpose.STORAGE, PASSWORD, PLACE)))
                .isEqualTo(keys.current(Purpose.STORAGE));
    }

    @Test
    void shouldNotOpenCiphertextsOfARemovedKey() {
        byte[] before = keys.seal(Purpose.STORAGE, PASSWORD, PLACE);
        String old = primary(keys, Purpose.STORAGE);
        Keyset without = keys.rotated(Purpose.STORAGE).without(old);

        assertThat(states(without)).containsExactly(State.PRIMARY);
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> without.open(Purpose.STORAGE, before, PLACE))
                .withMessage("there is no key " + old);
    }

    @Test
    void shouldRemoveNeitherThePrimaryKeyNorAMissingOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> keys.without(primary(keys, Purpose.OUTPUT)));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.without("00000000"));
    }

    @ParameterizedTest
    @EnumSource(names = {"STORAGE", "PUBLISHING", "OUTPUT"})
    void shouldKeepHashesTheSameWhenOtherKeysAreReplaced(Purpose purpose) {
        assertThat(keys.rotated(purpose).keyedHash().of("site-a", new Text("hunter2")))
                .isEqualTo(keys.keyedHash().of("site-a", new Text("hunter2")));
        assertThat(Keyset.create().keyedHash().of("site-a", new Text("hunter2")))
                .isNotEqualTo(keys.keyedHash().of("site-a", new Text("hunter2")));
    }

    @Test
    void shouldSealHashesAlikeForEver() {
        byte[] sealed = keys.seal(Purpose.HASHES, PASSWORD, PLACE);
        Keyset rotated = keys.rotated(Purpose.STORAGE).rotated(Purpose.OUTPUT);

        assertThat(rotated.seal(Purpose.HASHES, PASSWORD, PLACE)).isEqualTo(sealed);
        assertThat(rotated.open(Purpose.HASHES, sealed, PLACE)).isEqualTo(PASSWORD);
        assertThat(sealed).isNotEqualTo(keys.seal(Purpose.HASHES, PASSWORD, utf8("another")));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(Purpose.HASHES, sealed, utf8("another")));
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> Keyset.create().open(Purpose.HASHES, sealed, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(keys, Purpose.HASHES)));
    }

    @Test
    void shouldReportMissingKeys() {
        byte[] sealed = keys.seal(Purpose.STORAGE, PASSWORD, PLACE);

        assertThat(keys.has(Purpose.STORAGE, Ciphertext.keyOf(sealed))).isTrue();
        assertThat(Keyset.create().has(Purpose.STORAGE, Ciphertext.keyOf(sealed)))
                .isFalse();
        assertThat(SecretKeys.NONE.areThere()).isFalse();
        assertThat(SecretKeys.NONE.has(Purpose.STORAGE, Ciphertext.keyOf(sealed)))
                .isFalse();
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> SecretKeys.NONE.open(Purpose.STORAGE, sealed, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(keys, Purpose.STORAGE)));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> SecretKeys.NONE.open(Purpose.STORAGE, PASSWORD, PLACE));
    }

    @Test
    void shouldNeverReplaceTheKeyOfHashes() {
        assertThatIllegalArgumentException().isThrownBy(() -> keys.rotated(Purpose.HASHES));
        assertThatIllegalArgumentException().isThrownBy(() -> keys.prepared(Purpose.HASHES));
    }

    private static List<State> states(Keyset keys) {
        return keys.keys().stream()
                .filter(key -> key.purpose() == Purpose.STORAGE)
                .map(Keyset.Key::state)
                .toList();
    }

    private static String primary(Keyset keys, Purpose purpose) {
        return keys.keys().stream()
                .filter(key -> key.purpose() == purpose && key.state() == State.PRIMARY)
                .map(Keyset.Key::id)
                .findFirst()
                .orElseThrow();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
