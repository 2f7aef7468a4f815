package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.RandomPublisher.Sent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Plants masks, references or ciphertexts, as if an author published documents that were read without secrets. */
final class Masks {

    private static final int ONE_OF = 6;

    /** Values to plant. The last six only resemble masks, references and ciphertexts. */
    private static final List<String> VALUES = List.of(
            "'****** 0123456789abcdef'",
            "'****** no key 0123abcd'",
            "'/workspaces/w/rendered?schema=t/A/v1&name=a&query=$.data.a&cleartext-secrets=true#0123456789abcdef'",
            "{'$sealed':'AWk2Xg=='}",
            "'******'",
            "'****** 0123456789ABCDEF'",
            "'****** 0123456789abcdef '",
            "'/workspaces/w/rendered?schema=t/A/v1&name=a'",
            "{'$sealed':1}",
            "{'$sealed':'AWk2Xg==','a':1}");

    private static final Pattern PLANTED = Pattern.compile("\"\\*{6} (?:[0-9a-f]{16}|no key [0-9a-f]{8})\""
            + "|\"/workspaces/[^\"]+&cleartext-secrets=true#[0-9a-f]{16}\""
            + "|\\{\"\\$sealed\":\"[^\"]*\"}");

    private Masks() {}

    /** Plants such a value in one document of some of the puts. */
    static Sent planted(Sent sent, RandomGenerator random) {
        if (!sent.type().endsWith(".put") || random.nextInt(ONE_OF) > 0) {
            return sent;
        }
        List<Value> documents = new ArrayList<>(((ListValue) Json.value(sent.value())).items());
        for (int i = 0; i < documents.size(); i++) {
            MapValue document = (MapValue) documents.get(i);
            if (document.get("data") instanceof MapValue data && !data.isEmpty()) {
                String key = List.copyOf(data.keys()).get(random.nextInt(data.size()));
                Value value = Json.value(VALUES.get(random.nextInt(VALUES.size())));
                Value in = random.nextBoolean() ? value : ListValue.of(MapValue.of("c", value));
                documents.set(
                        i,
                        document.with(
                                "data", data.with("planted", data.get(key)).with(key, in)));
                byte[] text = JsonBytes.of(ListValue.of(documents));
                return sent.with(new String(text, StandardCharsets.UTF_8));
            }
        }
        return sent;
    }

    /** Checks that a change is rejected for such a value if, and only if, it has one. */
    static void check(Sent sent, Outcome outcome) {
        boolean isThere =
                sent.type().endsWith(".put") && PLANTED.matcher(sent.value()).find();
        boolean isRefused = outcome.problems().stream()
                .anyMatch(problem -> problem.message().startsWith("has a mask or ciphertext"));
        assertThat(isRefused && !isThere).as("refused without a mask").isFalse();
        assertThat(isThere && outcome.status() != OutcomeStatus.REJECTED)
                .as("a mask was taken: %s", outcome.status())
                .isFalse();
    }
}
