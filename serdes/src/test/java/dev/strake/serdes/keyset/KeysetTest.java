package dev.strake.serdes.keyset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.tree.Text;
import dev.strake.serdes.keyset.Keyset.State;
import dev.strake.serdes.secret.DoesNotOpenException;
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
    void shouldOpenWhatItSealedInThatPlaceAlone() {
        byte[] sealed = keys.seal(PASSWORD, PLACE);

        assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("hunter2");
        assertThat(keys.open(sealed, PLACE)).isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.open(sealed, utf8("documents site-b db")));
    }

    @Test
    void shouldNotOpenWhatWasChanged() {
        byte[] sealed = keys.seal(PASSWORD, PLACE);
        sealed[sealed.length - 1] ^= 1;

        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> keys.open(sealed, PLACE));
        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> keys.open(PASSWORD, PLACE));
        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> keys.open(new byte[0], PLACE));
    }

    @Test
    void shouldSealTheSameDifferentlyForStorageAndAlikeForConsumers() {
        assertThat(keys.seal(PASSWORD, PLACE)).isNotEqualTo(keys.seal(PASSWORD, PLACE));
        assertThat(keys.sealOutput(PASSWORD, PLACE)).isEqualTo(keys.sealOutput(PASSWORD, PLACE));
        assertThat(keys.openOutput(keys.sealOutput(PASSWORD, PLACE), PLACE)).isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.openOutput(keys.sealOutput(PASSWORD, PLACE), utf8("another")));
    }

    @Test
    void shouldOpenWhatPublishersEncrypted() throws UnusableKeysetException {
        PublishingKey key = PublishingKey.read(keys.publishingKey().file());

        byte[] sealed = key.seal(PASSWORD, PLACE);

        assertThat(keys.openPublished(sealed, PLACE)).isEqualTo(PASSWORD);
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.openPublished(sealed, utf8("another")));
    }

    @Test
    void shouldGoOnReadingAfterARotation() {
        byte[] before = keys.seal(PASSWORD, PLACE);
        Keyset rotated = keys.rotated(Purpose.STORAGE);
        byte[] after = rotated.seal(PASSWORD, PLACE);

        assertThat(rotated.open(before, PLACE)).isEqualTo(PASSWORD);
        assertThat(rotated.open(after, PLACE)).isEqualTo(PASSWORD);
        assertThat(rotated.isCurrent(before)).isFalse();
        assertThat(rotated.isCurrent(after)).isTrue();
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> keys.open(after, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(rotated, Purpose.STORAGE)));
    }

    @Test
    void shouldLetInstancesHaveAKeyBeforeItEncrypts() {
        Keyset prepared = keys.prepared(Purpose.STORAGE);
        Keyset rotated = prepared.rotated(Purpose.STORAGE);

        assertThat(states(prepared)).containsExactly(State.PRIMARY, State.PREPARED);
        assertThat(prepared.prepared(Purpose.STORAGE).keys()).isEqualTo(prepared.keys());
        assertThat(states(rotated)).containsExactly(State.OLD, State.PRIMARY);
        assertThat(prepared.open(rotated.seal(PASSWORD, PLACE), PLACE)).isEqualTo(PASSWORD);
        assertThat(keys.isCurrent(prepared.seal(PASSWORD, PLACE))).isTrue();
    }

    @Test
    void shouldNoLongerOpenWhatARemovedKeyEncrypted() {
        byte[] before = keys.seal(PASSWORD, PLACE);
        String old = primary(keys, Purpose.STORAGE);
        Keyset without = keys.rotated(Purpose.STORAGE).without(old);

        assertThat(states(without)).containsExactly(State.PRIMARY);
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> without.open(before, PLACE))
                .withMessage("there is no key " + old);
    }

    @Test
    void shouldNotRemoveThePrimaryKeyOrOneThatIsNotThere() {
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
        byte[] sealed = keys.sealHashes(PASSWORD, PLACE);
        Keyset rotated = keys.rotated(Purpose.STORAGE).rotated(Purpose.OUTPUT);

        assertThat(rotated.sealHashes(PASSWORD, PLACE)).isEqualTo(sealed);
        assertThat(rotated.openHashes(sealed, PLACE)).isEqualTo(PASSWORD);
        assertThat(sealed).isNotEqualTo(keys.sealHashes(PASSWORD, utf8("another")));
        assertThatExceptionOfType(DoesNotOpenException.class)
                .isThrownBy(() -> keys.openHashes(sealed, utf8("another")));
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> Keyset.create().openHashes(sealed, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(keys, Purpose.HASHES)));
    }

    @Test
    void shouldMissTheKeyOfEverythingWhereThereAreNone() {
        byte[] sealed = keys.seal(PASSWORD, PLACE);

        assertThat(keys.hasKeyOf(sealed)).isTrue();
        assertThat(Keyset.create().hasKeyOf(sealed)).isFalse();
        assertThat(SecretKeys.NONE.areThere()).isFalse();
        assertThat(SecretKeys.NONE.hasKeyOf(sealed)).isFalse();
        assertThatExceptionOfType(SecretKeyNotFoundException.class)
                .isThrownBy(() -> SecretKeys.NONE.open(sealed, PLACE))
                .satisfies(e -> assertThat(e.key()).isEqualTo(primary(keys, Purpose.STORAGE)));
        assertThatExceptionOfType(DoesNotOpenException.class).isThrownBy(() -> SecretKeys.NONE.open(PASSWORD, PLACE));
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
