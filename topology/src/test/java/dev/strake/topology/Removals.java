package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.Whole.PublishedDocument;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Checks limits of removals against all documents that a workspace held before a change. */
final class Removals {

    private static final List<String> LIMITS = List.of("guard", "guard", "guard", "0", "1", "25%", "1,50%", "100%");

    private Removals() {}

    /** Sets a limit on half of the changes. Some puts replace the whole bucket, as from an incomplete folder. */
    static Sent limited(Sent sent, RandomGenerator random) {
        if (sent.type().equals("documents.put") && random.nextInt(4) == 0) {
            return new Sent(sent.value(), "bucket.put", sent.bucket(), sent.id(), null, sent.origins(), "guard");
        }
        return random.nextBoolean() ? sent : sent.limited(LIMITS.get(random.nextInt(LIMITS.size())));
    }

    /**
     * Checks that a change is rejected for its removals if, and only if, it removes too many.
     *
     * @param then the documents of each revision
     * @param counts counts the rejections, by limit and type
     */
    static void check(
            Sent sent,
            Outcome outcome,
            List<PublishedDocument> before,
            Map<Long, Recorded> then,
            Map<String, Integer> counts) {
        boolean isRollback = sent.rollback() != null;
        Set<DocumentId> held = before.stream()
                .filter(each -> isRollback || each.bucket().equals(sent.bucket()))
                .map(PublishedDocument::id)
                .collect(Collectors.toSet());
        long removed = held.stream().filter(id -> isGone(id, sent, then)).count();
        boolean isTooMuch = sent.removals() != null && isMoreThan(sent.removals(), removed, held.size());
        boolean isRefused =
                outcome.problems().stream().anyMatch(problem -> problem.code() == ProblemCode.TOO_MANY_REMOVALS);
        if (isTooMuch || isRefused) {
            assertThat(isTooMuch)
                    .as("%d of %d are too many for %s", removed, held.size(), sent.removals())
                    .isTrue();
            assertThat(outcome.status())
                    .as("%d of %d removed, and the limit is %s", removed, held.size(), sent.removals())
                    .isEqualTo(OutcomeStatus.REJECTED);
            counts.merge(isRefused ? sent.removals() + " of " + sent.type() : "refused for more", 1, Integer::sum);
        }
    }

    private static boolean isGone(DocumentId id, Sent sent, Map<Long, Recorded> then) {
        return switch (sent.type()) {
            case "bucket.put" -> !sent.places().containsKey(id) && !staysForDeckhand(id, sent);
            case "documents.delete" ->
                ((ListValue) Json.value(sent.value()))
                        .items().stream()
                                .map(MapValue.class::cast)
                                .anyMatch(each -> id.equals(
                                        new DocumentId(each.text("schema"), each.text("layer"), each.text("name"))));
            case "revision.rollback" ->
                then.get(sent.rollback()).documents().stream()
                        .noneMatch(each -> each.id().equals(id));
            default -> false;
        };
    }

    /* Deckhand keeps the layering policy of a bucket that is put without one. A new policy replaces it. */
    private static boolean staysForDeckhand(DocumentId id, Sent sent) {
        return isPolicy(id)
                && List.of(sent.headers()).contains("as-deckhand")
                && sent.places().keySet().stream().noneMatch(Removals::isPolicy);
    }

    private static boolean isPolicy(DocumentId id) {
        return id.schema().equals("deckhand/LayeringPolicy/v1");
    }

    private static boolean isMoreThan(String limit, long removed, int held) {
        if (limit.equals("guard")) {
            return removed > 0 && (removed == held || (removed >= 2 && 3 * removed > held));
        }
        boolean isMore = true;
        for (String part : limit.split(",", -1)) {
            int number = Integer.parseInt(part.replace("%", ""));
            isMore &= part.endsWith("%") ? 100 * removed > (long) number * held : removed > number;
        }
        return isMore;
    }
}
