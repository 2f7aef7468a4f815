package dev.strake.serdes.outcome;

import dev.strake.engine.readiness.ReadinessReport;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * Whether a revision is ready, as JSON:
 *
 * <pre>{@code
 * {"ready": true | false,
 *  "policies": [{"policy": {"schema", "layer", "name"}, "fulfilled", "validations": {NAME: STATUS, ...}}, ...],
 *  "validations": {NAME: STATUS, ...},
 *  "items": [{"validation", "id", "status", "standing", "time", "expiresAfter", "validator", "errors"}, ...]}
 * }</pre>
 *
 * <p>A standing is {@code counted}, {@code ignored}, {@code expired} or {@code missing}. Entries of one validation are numbered
 * from 0.
 */
public final class ReadinessJson {

    private ReadinessJson() {}

    /**
     * Writes a readiness report.
     *
     * @param what the first members of the result
     */
    public static MapValue write(MapValue what, ReadinessReport report) {
        List<Value> policies = new ArrayList<>();
        for (ReadinessReport.PolicyStatus policy : report.policies()) {
            policies.add(MapValue.builder()
                    .put("policy", ProblemJson.write(policy.policy()))
                    .put("fulfilled", Bool.of(policy.isFulfilled()))
                    .put("validations", texts(policy.validations()))
                    .build());
        }
        Map<String, Integer> counts = new HashMap<>();
        List<Value> items = new ArrayList<>();
        for (ReadinessReport.Entry entry : report.entries()) {
            items.add(item(entry, counts.merge(entry.name(), 1, Integer::sum) - 1));
        }
        return what.with("ready", Bool.of(report.isReady()))
                .with("policies", ListValue.of(policies))
                .with("validations", texts(report.statuses()))
                .with("items", ListValue.of(items));
    }

    private static Value item(ReadinessReport.Entry entry, int id) {
        return MapValue.builder()
                .put("validation", new Text(entry.name()))
                .put("id", Num.of(id))
                .put("status", new Text(entry.status()))
                .put("standing", new Text(entry.standing().name().toLowerCase(Locale.ROOT)))
                .put(
                        "time",
                        entry.time() == null
                                ? Null.NULL
                                : new Text(Instant.ofEpochMilli(entry.time()).toString()))
                .put("expiresAfter", entry.expiresAfter() == null ? Null.NULL : new Text(entry.expiresAfter()))
                .put("validator", entry.validator())
                .put("errors", ListValue.of(entry.errors()))
                .build();
    }

    private static MapValue texts(SortedMap<String, String> statuses) {
        MapValue.Builder texts = MapValue.builder();
        statuses.forEach((name, status) -> texts.put(name, new Text(status)));
        return texts.build();
    }
}
