package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Any record gets exactly one outcome. A change that the outcome calls rejected has written nothing. */
class AnyRecordTest {

    private static final long SEED = Long.getLong("strake.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 2_000);

    /** A document that uses every field of the schema of documents. */
    private static final String FULL = """
            {'schema':'example/Thing/v1',
             'metadata':{'schema':'metadata/Document/v1','name':'full','storagePolicy':'cleartext','labels':{'a':'b'},
              'replacement':false,
              'layeringDefinition':{'layer':'site','abstract':false,'parentSelector':{'k':'v'},
               'actions':[{'method':'merge','path':'.'}]},
              'substitutions':[{'src':{'schema':'example/Thing/v1','name':'parent','path':'.a','pattern':'(x)',
                'match_group':1,'deepcopy':true},
               'dest':[{'path':'.b','pattern':'y','recurse':{'depth':-1}}]}]},
             'data':{'a':'xy','b':'y'}}""";

    private static final String PARENT = """
            {'schema':'example/Thing/v1',
             'metadata':{'schema':'metadata/Document/v1','name':'parent','storagePolicy':'encrypted','labels':{'k':'v'},
              'layeringDefinition':{'layer':'global'}},
             'data':{'a':'x','l':[1,2.50,null]}}""";

    private static final String POLICY = """
            {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'policy'},
             'data':{'layerOrder':['global','site']}}""";

    private static final List<Value> VALUES = List.of(
            Json.value("null"),
            Json.value("true"),
            Json.value("1"),
            Json.value("1.5"),
            Json.value("-99999999999999999999"),
            Json.value("'text'"),
            Json.value("''"),
            Json.value("[]"),
            Json.value("{}"),
            Json.value("['text']"),
            Json.value("{'unknown':1}"));

    private final SplittableRandom random = new SplittableRandom(SEED);

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    private byte[] start() {
        return ("[" + POLICY + "," + PARENT + "," + FULL + "]")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8);
    }

    /* Calls back for each place of a tree with a copy that has another value there, or no value (null). */
    private static void variants(
            Value tree, String path, UnaryOperator<Value> change, BiConsumer<String, Value> found) {
        int size = tree instanceof MapValue map ? map.size() : tree instanceof ListValue list ? list.size() : 0;
        for (int i = 0; i < size; i++) {
            int at = i;
            String where = tree instanceof MapValue map ? path + "." + map.keyAt(i) : path + "[" + i + "]";
            Value value = tree instanceof MapValue map ? map.valueAt(i) : ((ListValue) tree).get(i);
            found.accept(where, with(tree, at, change.apply(value)));
            variants(value, where, change, (deeper, changed) -> found.accept(deeper, with(tree, at, changed)));
        }
    }

    private static Value with(Value container, int at, Value value) {
        if (container instanceof MapValue map) {
            return value == null ? map.without(map.keyAt(at)) : map.withValueAt(at, value);
        }
        List<Value> items = new ArrayList<>(((ListValue) container).items());
        if (value == null) {
            items.remove(at);
        } else {
            items.set(at, value);
        }
        return ListValue.of(items);
    }

    /* Sends a record and returns its outcome, or null if the record was skipped. */
    private Outcome sendChecked(byte[] key, byte[] value, Headers headers) {
        Map<String, Map<String, byte[]>> before = strake.dump();
        List<Outcome> outcomes = strake.send(key, value, headers);
        boolean named = key != null && WorkspaceKey.isName(new String(key, StandardCharsets.ISO_8859_1));
        assertThat(outcomes).hasSize(named ? 1 : 0);
        Outcome outcome = named ? outcomes.get(0) : null;
        if (outcome == null || outcome.status() == OutcomeStatus.REJECTED) {
            assertThat(outcome == null || !outcome.problems().isEmpty()).isTrue();
            Map<String, Map<String, byte[]>> after = strake.dump();
            // A rejected change also discards its waiting parts. Everything else stays as it was.
            before.get("changes")
                    .keySet()
                    .removeIf(each -> !after.get("changes").containsKey(each));
            TopologyHarness.assertSameState(after, before);
        }
        return outcome;
    }

    @Test
    void shouldAnswerAnyRecordOnce() {
        Map<OutcomeStatus, Integer> seen = new LinkedHashMap<>();
        for (int i = 0; i < CASES; i++) {
            if (i % 200 == 0) {
                strake.close();
                strake = new TopologyHarness();
                strake.send(TopologyHarness.WORKSPACE.getBytes(StandardCharsets.UTF_8), start(), new RecordHeaders());
            }
            byte[] value = value();
            try {
                Outcome outcome = sendChecked(key(), value, headers());
                if (outcome != null) {
                    seen.merge(outcome.status(), 1, Integer::sum);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "-Dstrake.seed=" + SEED + ", case " + i + ": "
                                + (value == null ? null : TopologyHarness.text(value)),
                        e);
            }
        }
        // Otherwise the records would be too broken, or too harmless, to prove anything.
        assertThat(seen.keySet())
                .as("-Dstrake.seed=" + SEED + " saw " + seen)
                .contains(
                        OutcomeStatus.RENDERED,
                        OutcomeStatus.FAILED,
                        OutcomeStatus.REJECTED,
                        OutcomeStatus.PENDING,
                        OutcomeStatus.UNCHANGED);
    }

    private byte[] key() {
        return switch (random.nextInt(20)) {
            case 0 -> null;
            case 1 -> bytes(6);
            case 2 -> "other".getBytes(StandardCharsets.UTF_8);
            default -> TopologyHarness.WORKSPACE.getBytes(StandardCharsets.UTF_8);
        };
    }

    private byte[] bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] value() {
        List<String> bodies = List.of(
                "[" + POLICY + "," + PARENT + "," + FULL + "]",
                FULL,
                PARENT,
                POLICY,
                "{'revision':1}",
                "{'revision':1,'tag':'t','data':{'a':1}}",
                "{'revision':1,'name':'v','status':'success','validator':{'name':'a'},'errors':[{'message':'b'}]}",
                "[{'schema':'example/Thing/v1','layer':'site','name':'full'}]");
        byte[] body = oneOf(bodies).replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        switch (random.nextInt(8)) {
            case 0 -> {
                return null;
            }
            case 1 -> {
                return bytes(80);
            }
            case 2, 3 -> {
                return body;
            }
            case 4 -> {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    body[random.nextInt(body.length)] = (byte) random.nextInt(256);
                }
                return body;
            }
            default -> {
                List<Value> variants = new ArrayList<>();
                Value other = random.nextInt(4) == 0 ? null : oneOf(VALUES);
                variants(Json.value(TopologyHarness.text(body)), "", any -> other, (path, tree) -> variants.add(tree));
                return JsonBytes.of(oneOf(variants));
            }
        }
    }

    private Headers headers() {
        Headers headers = new RecordHeaders();
        List<String> types = List.of("bucket.put", "documents.put", "documents.put", "documents.delete");
        List<String> ofRevisions = List.of("revision.rollback", "revision.tag", "revision.untag", "validation.put");
        String type = oneOf(random.nextInt(4) == 0 ? ofRevisions : types);
        maybe(headers, "ce_type", "dev.strake." + type, 2);
        maybe(headers, "ce_id", oneOf(List.of("a", "b", "c", "d", "id-" + random.nextInt())), 2);
        maybe(headers, "bucket", oneOf(List.of("default", "default", "other")), 4);
        maybe(headers, "content-type", oneOf(List.of("application/json", "application/x-yaml")), 4);
        maybe(headers, "part", oneOf(List.of("1/1", "1/2", "2/2", "2/3")), 4);
        maybe(headers, "traceparent", "00-x-y-01", 5);
        List<String> origins =
                List.of("[]", "[\"a.yaml:1\"]", "[\"a.yaml:1\", \"\", \"b.yaml:2@c0ffee\"]", "{}", "[[\"a\"]]");
        maybe(headers, "origins", oneOf(origins), 4);
        if (random.nextInt(20) == 0) {
            headers.add(oneOf(List.of("ce_source", "ce_time", "surprise", "")), null);
        }
        return headers;
    }

    private void maybe(Headers headers, String name, String text, int outOf) {
        if (random.nextInt(outOf) == 0) {
            headers.add(name, random.nextInt(20) == 0 ? bytes(12) : text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
