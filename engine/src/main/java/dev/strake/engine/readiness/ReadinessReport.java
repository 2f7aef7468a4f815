package dev.strake.engine.readiness;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.readiness.ValidationPolicies.Policy;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares the validations of a revision with its validation policies at one moment. Follows Deckhand; where its manual
 * and its program differ, the manual counts.
 *
 * <pre>
 *                 expected                        not expected            no policy at all
 *  posted         counts; a success may expire    is ignored, and says so counts
 *  never posted   missing: a failure              –                       –
 * </pre>
 */
public final class ReadinessReport {

    /** The maximum number of policies in an error, and of validations that it names for one policy. */
    private static final int MOST_NAMED = 20;

    /** How the policies treat a result. */
    public enum Standing {
        COUNTED,
        IGNORED,
        EXPIRED,
        MISSING;

        /** Applies this standing to the status of a result. A missing or expired result counts as a failure. */
        private String of(String status) {
            return switch (this) {
                case COUNTED -> status;
                case IGNORED -> "ignored [" + status + "]";
                case EXPIRED, MISSING -> ValidationResult.FAILURE;
            };
        }
    }

    /**
     * A result, or an expected result that is missing.
     *
     * @param posted the posted status; failure if the result is missing
     * @param errors the posted errors, and those that say why the result does not count
     * @param time when the result was posted, in milliseconds; null if it was not posted
     * @param expiresAfter how long a success counts, as written in the policy; null for always
     */
    public record Entry(
            String name,
            Standing standing,
            String posted,
            MapValue validator,
            List<MapValue> errors,
            Long time,
            String expiresAfter) {

        /** The status at the time of the report. */
        public String status() {
            return standing.of(posted);
        }
    }

    /**
     * The state of one policy.
     *
     * @param validations each expected one: {@code success}, {@code missing}, {@code expired}, or the worst posted
     *     status
     */
    public record PolicyStatus(DocumentId policy, SortedMap<String, String> validations, boolean isFulfilled) {}

    private final ValidationPolicies policies;
    private final List<Entry> entries;
    private final Map<String, List<Entry>> byName;

    private ReadinessReport(ValidationPolicies policies, List<Entry> entries) {
        this.policies = policies;
        this.entries = List.copyOf(entries);
        this.byName = entries.stream().collect(Collectors.groupingBy(Entry::name, TreeMap::new, Collectors.toList()));
    }

    /**
     * Creates the report of a revision.
     *
     * @param policies the policies of the revision
     * @param derived the results that Strake derives itself
     * @param posted the results that clients posted, in the order of their arrival
     * @param now the time of the report, in milliseconds
     */
    public static ReadinessReport of(
            ValidationPolicies policies, List<ValidationResult> derived, List<ValidationResult> posted, long now) {
        Assessment assessment = new Assessment(policies, newestSuccesses(derived, posted), now);
        List<Entry> entries = new ArrayList<>();
        derived.forEach(result -> entries.add(assessment.entry(result, false)));
        posted.forEach(result -> entries.add(assessment.entry(result, true)));
        Set<String> there = entries.stream().map(Entry::name).collect(Collectors.toSet());
        for (String name : policies.expected()) {
            if (!there.contains(name)) {
                entries.add(assessment.missing(name));
            }
        }
        return new ReadinessReport(policies, entries);
    }

    private static Map<String, ValidationResult> newestSuccesses(
            List<ValidationResult> derived, List<ValidationResult> posted) {
        Map<String, ValidationResult> newest = new TreeMap<>();
        List<ValidationResult> all = new ArrayList<>(derived);
        all.addAll(posted);
        all.stream()
                .filter(ValidationResult::isSuccess)
                .forEach(result ->
                        newest.merge(result.name(), result, (one, other) -> one.time() > other.time() ? one : other));
        return newest;
    }

    /** All results: those that Strake derives, those that clients posted, then those that are missing. */
    public List<Entry> entries() {
        return entries;
    }

    /** The entries of one validation; empty if it is neither posted nor expected. */
    public List<Entry> entries(String name) {
        return byName.getOrDefault(name, List.of());
    }

    /** The status of each validation: the worst of its entries. */
    public SortedMap<String, String> statuses() {
        SortedMap<String, String> statuses = new TreeMap<>();
        byName.forEach((name, all) -> {
            // A name is expected or not, so either all of its entries are ignored or none is.
            Standing standing = all.get(0).standing() == Standing.IGNORED ? Standing.IGNORED : Standing.COUNTED;
            statuses.put(
                    name,
                    standing.of(worst(all.stream()
                            .map(each -> standing == Standing.IGNORED ? each.posted() : each.status())
                            .toList())));
        });
        return statuses;
    }

    /* Failure is the worst status, and success the best. */
    private static String worst(Collection<String> statuses) {
        return statuses.stream()
                .min(Comparator.<String, Boolean>comparing(each -> !each.equals(ValidationResult.FAILURE))
                        .thenComparing(each -> each.equals(ValidationResult.SUCCESS))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    /** The state of each policy, in the order of their documents. */
    public List<PolicyStatus> policies() {
        List<PolicyStatus> all = new ArrayList<>();
        for (Policy policy : policies.all()) {
            SortedMap<String, String> validations = new TreeMap<>();
            policy.names().forEach(name -> validations.put(name, outcome(entries(name))));
            boolean isFulfilled =
                    policy.isReadable() && validations.values().stream().allMatch(ValidationResult.SUCCESS::equals);
            all.add(new PolicyStatus(policy.id(), validations, isFulfilled));
        }
        return all;
    }

    private static String outcome(List<Entry> expected) {
        List<String> counted = expected.stream()
                .filter(each -> each.standing() == Standing.COUNTED)
                .map(Entry::posted)
                .toList();
        if (counted.stream().anyMatch(each -> !each.equals(ValidationResult.SUCCESS))) {
            return worst(counted);
        }
        boolean isExpired = expected.stream().anyMatch(each -> each.standing() == Standing.EXPIRED);
        return isExpired ? "expired" : counted.isEmpty() ? "missing" : ValidationResult.SUCCESS;
    }

    /** Whether all policies are fulfilled. Without policies, a revision is ready. */
    public boolean isReady() {
        return policies().stream().allMatch(PolicyStatus::isFulfilled);
    }

    /** Assesses results at one moment. */
    private static final class Assessment {

        private final ValidationPolicies policies;
        private final Map<String, ValidationResult> newest;
        private final long now;
        private final List<MapValue> ignored;
        private final Map<String, Term> terms = new HashMap<>();

        /**
         * How long the successes of a validation count.
         *
         * @param validity null if they never expire
         */
        private record Term(Validity validity, boolean isOver) {

            String text() {
                return validity == null ? null : validity.text();
            }
        }

        /** @param newest the newest success of each validation; older successes count as long as the newest one */
        Assessment(ValidationPolicies policies, Map<String, ValidationResult> newest, long now) {
            this.policies = policies;
            this.newest = newest;
            this.now = now;
            this.ignored = policies.all().stream()
                    .limit(MOST_NAMED)
                    .map(Assessment::ignored)
                    .toList();
        }

        Entry entry(ValidationResult result, boolean isPosted) {
            Standing standing = standing(result);
            List<MapValue> errors = new ArrayList<>(result.errors());
            if (standing == Standing.IGNORED && isPosted) {
                errors.addAll(ignored);
            } else if (standing == Standing.EXPIRED) {
                errors.add(expired(result));
            }
            return new Entry(
                    result.name(),
                    standing,
                    result.status(),
                    result.validator(),
                    errors,
                    isPosted ? result.time() : null,
                    term(result.name()).text());
        }

        private Standing standing(ValidationResult result) {
            if (policies.areThere() && !policies.expect(result.name())) {
                return Standing.IGNORED;
            }
            return result.isSuccess() && term(result.name()).isOver() ? Standing.EXPIRED : Standing.COUNTED;
        }

        private Term term(String name) {
            return terms.computeIfAbsent(name, none -> {
                ValidationResult success = newest.get(name);
                long since = success == null ? now : success.time();
                Validity validity = policies.validity(name, since).orElse(null);
                return new Term(validity, validity != null && now > validity.end(since));
            });
        }

        Entry missing(String name) {
            List<MapValue> errors = policies.all().stream()
                    .filter(policy -> policy.expects(name))
                    .limit(MOST_NAMED)
                    .map(policy -> error(
                            policy.asDocuments(),
                            "The result of the validation " + name + " is missing, but " + policy.title()
                                    + " expects it. Post it for this revision."))
                    .toList();
            return new Entry(
                    name,
                    Standing.MISSING,
                    ValidationResult.FAILURE,
                    MapValue.EMPTY,
                    errors,
                    null,
                    term(name).text());
        }

        private MapValue expired(ValidationResult result) {
            Validity validity = term(result.name()).validity();
            return error(
                    ListValue.EMPTY,
                    validity.isReadable()
                            ? "The result of the validation " + result.name() + " has expired: it is valid for "
                                    + validity.text() + ". Validate the revision again."
                            : "The result of the validation " + result.name()
                                    + " does not count, because expiresAfter of its policy is invalid. Set it to an ISO 8601"
                                    + " duration, such as P7D or PT12H.");
        }

        /* The message is Deckhand's. */
        private static MapValue ignored(Policy policy) {
            return error(
                    policy.asDocuments(),
                    "The result for this validation was externally registered but has been ignored because it is not"
                            + " found in the validations for " + policy.title() + ": "
                            + policy.names().stream().limit(MOST_NAMED).collect(Collectors.joining(", ")) + ".");
        }

        private static MapValue error(ListValue documents, String message) {
            return MapValue.of("documents", documents).with("message", new Text(message));
        }
    }
}
