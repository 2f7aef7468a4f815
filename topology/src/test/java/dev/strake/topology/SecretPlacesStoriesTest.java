package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.apply.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs each story twice with other secrets. Everything published, stored or answered is the same except masks and
 * ciphertexts, and every masked value came from a secret. Two topologies without keys run the stories, too: their
 * records differ where secrets are, which does not rely on what the renderer considers secret.
 *
 * <p>{@code -Dstrake.seed=N} repeats the stories, {@code -Dstrake.changes=N} sends N changes in each, {@code
 * -Dstrake.stories=N} runs N stories in each form.
 */
class SecretPlacesStoriesTest {

    private static final int CHANGES = Integer.getInteger("strake.changes", 60);
    private static final int STORIES = Integer.getInteger("strake.stories", 1);
    private static final String WORKSPACE = "story";
    private static final Duration UNTIL_HEADS_ARE_DROPPED = Duration.ofHours(1);
    private static final List<SecretsOutput> OUTPUTS = List.of(SecretsOutput.values());

    /** The parts that may differ between two runs, because they reveal nothing without the keys. */
    private static final Pattern KEYED = Pattern.compile(
            "(?<=\\*{6} )[0-9a-f]{16}|(?<=true#)[0-9a-f]{16}|(?<=content-hash=)[0-9a-f]+|(?<=\"contentHash\":\")[0-9a-f]+");

    private static final Pattern SEALED = Pattern.compile("(?<=\"\\$sealed\":\")[^\"]*");

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private Keyset keys = Keyset.create();
    private int places;

    @ParameterizedTest
    @CsvSource({
        "REDACTED, false, true", "REDACTED, true, false", "ENCRYPTED, false, true", "ENCRYPTED, true, false",
        "REFERENCES, false, false", "REFERENCES, true, true", "CLEARTEXT, false, true", "CLEARTEXT, true, false"
    })
    void shouldRevealNoSecretAndHideNothingElse(SecretsOutput output, boolean holdDocuments, boolean wholly) {
        for (int story = 0; story < STORIES || (places <= 10 && story < 20); story++) { // some render nothing
            new Told(seed + story, output, holdDocuments, wholly).tell();
        }
        assertThat(places).as("secret places in clear documents").isGreaterThan(10);
    }

    private final class Told {

        private final long storySeed;
        private final SplittableRandom random;
        private final boolean holdDocuments;
        private final List<Planting> plantings;
        private final boolean wholly;
        private final StringBuilder text = new StringBuilder();
        private SecretsOutput output;
        private boolean isKeyedAnew;
        private boolean areApart;
        private final TopologyHarness template;
        private final List<TopologyHarness> clear = new ArrayList<>();
        private final List<TopologyHarness> keyed = new ArrayList<>();

        Told(long storySeed, SecretsOutput output, boolean holdDocuments, boolean wholly) {
            this.storySeed = storySeed;
            this.random = new SplittableRandom(storySeed);
            this.output = output;
            this.holdDocuments = holdDocuments;
            this.wholly = wholly;
            this.plantings = List.of(new Planting(0, wholly), new Planting(1, wholly));
            template = new TopologyHarness(TopologySettings.of(1).holdingDocuments(holdDocuments));
            for (int i = 0; i < 2; i++) {
                clear.add(new TopologyHarness(TopologySettings.of(1).holdingDocuments(holdDocuments)));
                keyed.add(new TopologyHarness(settings()));
            }
        }

        private TopologySettings settings() {
            return TopologySettings.of(1)
                    .holdingDocuments(holdDocuments)
                    .withSecrets(new Secrets(() -> keys, false, output, true));
        }

        void tell() {
            RandomPublisher publisher = new RandomPublisher(random, WORKSPACE);
            Outcome last = null;
            try {
                for (int step = 0; step < CHANGES; step++) {
                    happen();
                    Sent next = Planting.withoutReadable(
                            publisher.next(template, last).withMoreSecrets(random));
                    next = Planting.withSubstitutions(step == 0 ? Planting.withSource(next) : next, random);
                    Sent sent = wholly ? Planting.withoutOtherSecrets(next) : next;
                    text.append(sent.type())
                            .append(' ')
                            .append(plantings.get(0).in(sent).value());
                    Outcome outcome = sent.to(template, WORKSPACE);
                    if (outcome.status().isOfRevision()) {
                        last = outcome;
                    }
                    for (int run = 0; run < 2; run++) {
                        plantings.get(run).in(sent).to(clear.get(run), WORKSPACE);
                    }
                    areApart |= sent.rollback() != null && isKeyedAnew;
                    send(sent, "dry-run", "true");
                    send(sent);
                    text.append('\n');
                    compareRecords();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "-Dstrake.seed=%d -Dstrake.changes=%d%n%s".formatted(storySeed, CHANGES, text), e);
            } finally {
                template.close();
                clear.forEach(TopologyHarness::close);
                keyed.forEach(TopologyHarness::close);
            }
        }

        private void happen() {
            int roll = random.nextInt(40);
            isKeyedAnew |= roll < 4;
            if (roll < 2) {
                text.append("a key is replaced\n");
                keys = keys.rotated(roll == 0 ? Purpose.OUTPUT : Purpose.STORAGE);
                keyed.forEach(each -> each.advance(Duration.ofSeconds(5)));
            } else if (roll == 2) {
                text.append("heads are read from the stores again\n");
                keyed.forEach(each -> each.advance(UNTIL_HEADS_ARE_DROPPED));
            } else if (roll == 3) {
                output = OUTPUTS.get(random.nextInt(OUTPUTS.size()));
                text.append("output: ").append(output).append('\n');
                keyed.replaceAll(each -> {
                    TopologyHarness other = each.restored(settings());
                    each.close();
                    return other;
                });
            }
        }

        /* Both runs publish and store the same, and no record or entry contains a token. */
        private void send(Sent sent, String... headers) {
            List<List<String>> said = new ArrayList<>();
            for (int run = 0; run < 2; run++) {
                Planting planting = plantings.get(run);
                TopologyHarness strake = keyed.get(run);
                Sent planted = planting.in(sent);
                List<String> all = new ArrayList<>(List.of(planted.headers("ce_id", sent.id())));
                all.addAll(List.of(headers));
                Outcome outcome = strake.send(WORKSPACE, planted.value(), all.toArray(String[]::new));
                text.append(run == 0 ? " → " + outcome.status() : "");
                List<String> records = strake.lastRecords().stream()
                        .filter(each -> !isInClearTopic(each))
                        .toList();
                assertThat(records).noneMatch(planting::isIn);
                said.add(records.stream()
                        .map(SecretPlacesStoriesTest::withoutHashes)
                        .toList());
                strake.dump()
                        .forEach((store, entries) -> entries.forEach((key, value) -> {
                            assertThat(planting.isIn(key))
                                    .as("%s %s", store, key)
                                    .isFalse();
                            assertThat(planting.isIn(new String(value, StandardCharsets.ISO_8859_1)))
                                    .as("%s %s", store, key)
                                    .isFalse();
                        }));
            }
            assertThat(said.get(0)).as("with other secrets").isEqualTo(said.get(1));
        }

        private boolean isInClearTopic(String record) {
            return output == SecretsOutput.CLEARTEXT
                    && record.contains(" secret=true")
                    && !record.contains(" secret-data=");
        }

        private void compareRecords() {
            Map<String, TestRecord<byte[], byte[]>> first = clear.get(0).records();
            assertThat(first.keySet()).isEqualTo(clear.get(1).records().keySet());
            first.forEach((key, record) -> {
                Set<String> paths = paths(record);
                TestRecord<byte[], byte[]> other = clear.get(1).records().get(key);
                assertThat(paths(other)).as(key).isEqualTo(paths);
                places += paths.contains("/data") ? 0 : paths.size();
                Map<String, Value> differing = new TreeMap<>();
                Map<String, Value> same = new TreeMap<>();
                compare("", document(record), document(other), differing, same);
                assertThat(differing.keySet())
                        .as("of %s, outside of %s", key, paths)
                        .allMatch(each -> isWithin(each, paths));
                if (wholly && !isMadeOfSecrets(record, document(record))) {
                    same.forEach((pointer, value) -> assertThat(isWithin(pointer, paths) && !isOfAnyOrigin(value))
                            .as("%s of %s is in %s, and no secret reached it", pointer, key, paths)
                            .isFalse());
                }
            });
            for (int run = 0; run < 2 && !areApart; run++) {
                compareHidden(keyed.get(run), clear.get(run));
            }
        }

        /* Whether a document is encrypted itself or derived by an owner with secrets. Then all of it is secret. */
        private boolean isMadeOfSecrets(TestRecord<byte[], byte[]> record, MapValue document) {
            return document.map("metadata").text("storagePolicy").equals("encrypted")
                    || record.headers().lastHeader(HeaderNames.DERIVED_FROM) != null;
        }

        /*
         * Compares records as trees, because a change in the order of keys alone is not published. Matches records by
         * change id, because there are more revisions with keys. After a rollback to a number that means another
         * revision with keys, the contents differ and are no longer compared.
         */
        private void compareHidden(TopologyHarness strake, TopologyHarness inClear) {
            strake.records().forEach((key, record) -> {
                Set<String> paths = paths(record);
                assertThat(header(record, HeaderNames.SECRET_DATA) != null)
                        .as("%s is hidden at %s", key, paths)
                        .isEqualTo(!paths.isEmpty());
                TestRecord<byte[], byte[]> other = inClear.records().get(key);
                if (other != null
                        && header(record, HeaderNames.CHANGE_ID).equals(header(other, HeaderNames.CHANGE_ID))) {
                    assertThat(paths).as(key).isEqualTo(paths(other));
                    Map<String, Value> differing = new TreeMap<>();
                    compare("", document(record), document(other), differing, new TreeMap<>());
                    assertThat(differing.keySet())
                            .as("of %s, outside of %s", key, paths)
                            .allMatch(each -> isWithin(each, paths));
                }
            });
        }
    }

    private static String withoutHashes(String record) {
        String without = KEYED.matcher(record).replaceAll("");
        return SEALED.matcher(without)
                .replaceAll(found -> Integer.toString(found.group().length()));
    }

    private static String header(TestRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : TopologyHarness.text(header.value());
    }

    /* The secret paths as pointers into the document instead of its data. */
    private static Set<String> paths(TestRecord<byte[], byte[]> record) {
        Set<String> paths = new TreeSet<>();
        Header header = record.headers().lastHeader(HeaderNames.SECRET_PATHS);
        if (header != null) {
            ((ListValue) JsonReader.read(header.value()))
                    .items()
                    .forEach(each -> paths.add("/data" + ((Text) each).value()));
        }
        return paths;
    }

    private static boolean isWithin(String pointer, Set<String> paths) {
        return paths.stream().anyMatch(path -> pointer.equals(path) || pointer.startsWith(path + "/"));
    }

    /* Whether a value may be left over from a secret: an empty container, or what a pattern made of one. */
    private static boolean isOfAnyOrigin(Value value) {
        return value instanceof Null
                || (value instanceof MapValue map && map.isEmpty())
                || (value instanceof ListValue list && list.size() == 0)
                || (value instanceof Text text && text.value().matches("(?s).*(\\{\\}|\\[\\]).*|"));
    }

    private static MapValue document(TestRecord<byte[], byte[]> record) {
        return (MapValue) JsonReader.read(record.value());
    }

    /* Compares down to the first places that differ in keys, length, kind or value. */
    private static void compare(
            String pointer, Value one, Value other, Map<String, Value> differing, Map<String, Value> same) {
        if (one instanceof MapValue map
                && other instanceof MapValue otherMap
                && !map.isEmpty()
                && Set.copyOf(map.keys()).equals(Set.copyOf(otherMap.keys()))) {
            map.forEach((key, child) -> compare(
                    pointer + "/" + key.replace("~", "~0").replace("/", "~1"),
                    child,
                    otherMap.get(key),
                    differing,
                    same));
        } else if (one instanceof ListValue list
                && other instanceof ListValue otherList
                && list.size() > 0
                && list.size() == otherList.size()) {
            for (int i = 0; i < list.size(); i++) {
                compare(pointer + "/" + i, list.get(i), otherList.get(i), differing, same);
            }
        } else {
            (one.equals(other) ? same : differing).put(pointer, one);
        }
    }
}
