package dev.strake.server.deckhand;

import dev.strake.engine.readiness.ReadinessReport.PolicyStatus;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.state.OpenRevision;
import dev.strake.topology.query.RevisionReadiness;
import dev.strake.topology.store.NumberedRevision;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A revision in Deckhand's format. */
final class RevisionView {

    /** Without time zone, in UTC. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

    /** The revision before the first one. */
    static final MapValue EMPTY = MapValue.builder()
            .put("buckets", ListValue.EMPTY)
            .put("createdAt", Null.NULL)
            .put("id", 0)
            .put("status", status(true))
            .put("tags", MapValue.EMPTY)
            .put("url", url(0))
            .put("validationPolicies", ListValue.EMPTY)
            .build();

    private RevisionView() {}

    /** A revision in a list, with the names of its tags. */
    static MapValue inList(Asked asked, NumberedRevision revision) {
        return what(asked, revision)
                .put("tags", texts(revision.revision().tags().keySet()))
                .build();
    }

    /** A single revision, with the data of its tags. */
    static MapValue alone(Asked asked, NumberedRevision revision) {
        String url = url(asked.shown(revision.number()));
        List<PolicyStatus> policies = policies(asked, revision.number());
        return what(asked, revision)
                .put("status", status(policies.stream().allMatch(PolicyStatus::isFulfilled)))
                .put("tags", MapValue.of(revision.revision().tags()))
                .put("url", url)
                .put(
                        "validationPolicies",
                        ListValue.of(
                                policies.stream().map(each -> view(each, url)).toList()))
                .build();
    }

    private static String url(long shown) {
        return "https://deckhand/api/" + DeckhandApi.VERSION + "/revisions/" + shown;
    }

    private static List<PolicyStatus> policies(Asked asked, long revision) {
        try (OpenRevision open = asked.open(revision)) {
            RevisionReadiness readiness = open.readiness();
            return readiness.hasPolicies()
                    ? readiness.report(System.currentTimeMillis()).policies()
                    : List.of();
        }
    }

    private static MapValue view(PolicyStatus policy, String url) {
        List<Value> validations = new ArrayList<>();
        policy.validations()
                .forEach((name, status) -> validations.add(MapValue.builder()
                        .put("name", name)
                        .put("status", status)
                        .put("url", url + "/validations/" + name)
                        .build()));
        return MapValue.builder()
                .put("name", policy.policy().name())
                .put("status", status(policy.isFulfilled()))
                .put(
                        "url",
                        url + "/documents?schema=" + policy.policy().schema() + "&name="
                                + policy.policy().name())
                .put("validations", ListValue.of(validations))
                .build();
    }

    private static Text status(boolean isFulfilled) {
        return new Text(isFulfilled ? ValidationResult.SUCCESS : ValidationResult.FAILURE);
    }

    private static MapValue.Builder what(Asked asked, NumberedRevision revision) {
        return MapValue.builder()
                .put("buckets", texts(revision.revision().change().buckets()))
                .put("createdAt", time(revision.revision().time()))
                .put("id", asked.shown(revision.number()));
    }

    /** @param millis since 1970 */
    static Text time(long millis) {
        return new Text(TIME.format(Instant.ofEpochMilli(millis)));
    }

    private static ListValue texts(Collection<String> all) {
        return ListValue.of(all.stream().<Value>map(Text::new).toList());
    }
}
