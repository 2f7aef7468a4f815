package dev.strake.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.readiness.ReadinessReport.Entry;
import dev.strake.engine.readiness.ReadinessReport.PolicyStatus;
import dev.strake.engine.readiness.ReadinessReport.Standing;
import dev.strake.engine.tree.MapValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadinessReportTest {

    private static final long NOW = Instant.parse("2026-03-31T12:00:00Z").toEpochMilli();
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final String SITE = "promenade-site-validation";
    private static final String HOST = "drydock-host-validation";

    private final List<Document> policies = new ArrayList<>();
    private final List<ValidationResult> derived = new ArrayList<>();
    private final List<ValidationResult> posted = new ArrayList<>();

    private void policy(String name, String validations) {
        policies.add(Document.ofValid(Json.map("""
                {'schema':'deckhand/ValidationPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'%s'},
                 'data':{'validations':[%s]}}
                """.formatted(name, validations))));
    }

    private void post(String name, String status, long time, String... messages) {
        List<MapValue> errors = new ArrayList<>();
        for (String message : messages) {
            errors.add(Json.map("{'message':'%s'}".formatted(message)));
        }
        posted.add(new ValidationResult(name, status, Json.map("{'name':'someone'}"), errors, time));
    }

    private ReadinessReport report() {
        return report(NOW);
    }

    private ReadinessReport report(long now) {
        return ReadinessReport.of(ValidationPolicies.of(policies), derived, posted, now);
    }

    private static List<String> messages(Entry entry) {
        return entry.errors().stream().map(error -> error.text("message")).toList();
    }

    @Test
    void shouldCountAllPostedResultsWithoutAPolicy() {
        post(SITE, "success", NOW);
        post(SITE, "failure", NOW, "no master");
        post(HOST, "success", NOW);

        assertThat(report().statuses()).containsExactly(Map.entry(HOST, "success"), Map.entry(SITE, "failure"));
        assertThat(report().entries(SITE)).extracting(Entry::status).containsExactly("success", "failure");
        assertThat(messages(report().entries(SITE).get(1))).containsExactly("no master");
        assertThat(report().entries("nobody")).isEmpty();
        assertThat(report().isReady()).as("nobody expects anything").isTrue();
    }

    @Test
    void shouldReportTheWorstStatus() {
        for (String status : List.of("success", "warning", "error", "failure")) {
            post(SITE, status, NOW);
            assertThat(report().statuses()).containsEntry(SITE, status);
        }
        post(SITE, "aborted", NOW);
        assertThat(report().statuses()).containsEntry(SITE, "failure");
    }

    @Test
    void shouldFailAMissingExpectedValidationWithAnEntry() {
        policy("ready", "{'name':'" + SITE + "'},{'name':'" + HOST + "'}");
        policy("also", "{'name':'" + SITE + "'}");

        assertThat(report().statuses()).containsExactly(Map.entry(HOST, "failure"), Map.entry(SITE, "failure"));
        Entry missing = report().entries(SITE).get(0);
        assertThat(missing.standing()).isEqualTo(Standing.MISSING);
        assertThat(messages(missing))
                .containsExactly(
                        "The result of the validation promenade-site-validation is missing, but ValidationPolicy"
                                + " [deckhand/ValidationPolicy/v1, None] also expects it. Post it for this revision.",
                        "The result of the validation promenade-site-validation is missing, but ValidationPolicy"
                                + " [deckhand/ValidationPolicy/v1, None] ready expects it. Post it for this revision.");
        assertThat(report().entries()).extracting(Entry::name).containsExactly(HOST, SITE);
        assertThat(report().isReady()).isFalse();
    }

    @Test
    void shouldIgnoreResultsThatNoPolicyExpects() {
        policy("ready", "{'name':'" + HOST + "'}");
        post(HOST, "success", NOW);
        post(SITE, "failure", NOW, "no master");

        Entry ignored = report().entries(SITE).get(0);
        assertThat(ignored.status()).isEqualTo("ignored [failure]");
        assertThat(messages(ignored))
                .containsExactly(
                        "no master",
                        "The result for this validation was externally registered but has been ignored because it is not"
                                + " found in the validations for ValidationPolicy [deckhand/ValidationPolicy/v1, None] ready:"
                                + " drydock-host-validation.");
        assertThat(report().statuses()).containsEntry(SITE, "ignored [failure]");
        assertThat(report().isReady()).isTrue();
    }

    @Test
    void shouldNotReportADerivedSuccessThatNoPolicyExpects() {
        policy("ready", "");
        derived.addAll(SchemaValidation.of(List.of(), List.of(), NOW));

        Entry ignored = report().entries(SchemaValidation.NAME).get(0);
        assertThat(ignored.status()).isEqualTo("ignored [success]");
        assertThat(ignored.errors()).as("clients take each for a failure").isEmpty();
        assertThat(ignored.time()).isNull();
    }

    @Test
    void shouldExpireASuccessWhenItIsRead() {
        policy("ready", "{'name':'" + SITE + "','expiresAfter':'P1D'}");
        post(SITE, "success", NOW - DAY);

        assertThat(report(NOW).statuses()).containsEntry(SITE, "success");
        assertThat(report(NOW).isReady()).isTrue();
        ReadinessReport later = report(NOW + 1);
        assertThat(later.statuses()).containsEntry(SITE, "failure");
        assertThat(later.entries(SITE).get(0).expiresAfter()).isEqualTo("P1D");
        assertThat(messages(later.entries(SITE).get(0)))
                .containsExactly(
                        "The result of the validation promenade-site-validation has expired: it is valid for P1D. Validate the revision again.");
        assertThat(later.policies()).singleElement().satisfies(policy -> {
            assertThat(policy.validations()).containsExactly(Map.entry(SITE, "expired"));
            assertThat(policy.isFulfilled()).isFalse();
        });
    }

    @Test
    void shouldCountAgainWhenTheRevisionIsValidatedAgain() {
        policy("ready", "{'name':'" + SITE + "','expiresAfter':'PT1H'}");
        post(SITE, "success", NOW - DAY);
        post(SITE, "success", NOW);

        assertThat(report().entries(SITE)).extracting(Entry::status).containsExactly("success", "success");
        assertThat(report().isReady()).isTrue();
    }

    @Test
    void shouldNeverExpireAFailure() {
        policy("ready", "{'name':'" + SITE + "','expiresAfter':'PT1H'}");
        post(SITE, "failure", NOW - DAY);
        post(SITE, "success", NOW);

        assertThat(report().statuses()).containsEntry(SITE, "failure");
    }

    @Test
    void shouldFollowTheStrictestPolicy() {
        policy("lenient", "{'name':'" + SITE + "'},{'name':'" + HOST + "','expiresAfter':'P1M'}");
        policy("strict", "{'name':'" + SITE + "','expiresAfter':'P2D'},{'name':'" + HOST + "','expiresAfter':'P30D'}");
        post(SITE, "success", NOW - DAY);
        post(HOST, "success", Instant.parse("2026-02-28T12:00:00Z").toEpochMilli());

        assertThat(report().entries(SITE).get(0).expiresAfter()).isEqualTo("P2D");
        assertThat(report().entries(HOST).get(0).expiresAfter())
                .as("a month from the end of February is 28 days")
                .isEqualTo("P1M");
        assertThat(report().policies()).extracting(PolicyStatus::isFulfilled).containsExactly(false, false);
    }

    @Test
    void shouldReadDurationsOfIso8601() {
        Map<String, Long> days =
                Map.of("P1D", 1L, "P1W", 7L, "PT24H", 1L, "P1DT24H", 2L, "PT1440M", 1L, "P1M", 30L, "P1Y1M", 395L);
        long since = Instant.parse("2026-04-01T00:00:00Z").toEpochMilli();
        days.forEach((text, length) -> assertThat((new Validity(text).end(since) - since) / DAY)
                .as(text)
                .isEqualTo(length));
        assertThat(new Validity("P999999999Y").end(since)).as("for ever").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFailValidationsWithAnUnreadableDuration() {
        for (String text :
                List.of("", "P", "PT", "one week", "-P1D", "P1D1Y", "P1.5D", "P99999999999D", "1D", "PT1.H1.S")) {
            policies.clear();
            posted.clear();
            policy("ready", "{'name':'" + SITE + "','expiresAfter':'" + text + "'}");
            post(SITE, "success", NOW);
            assertThat(report().statuses()).as(text).containsEntry(SITE, "failure");
            assertThat(messages(report().entries(SITE).get(0)).get(0)).contains("Set it to an ISO 8601 duration");
        }
    }

    @Test
    void shouldNotFulfilAPolicyThatCannotBeDecrypted() {
        policy("ready", "");
        assertThat(report().isReady()).isTrue();
        policies.set(0, Document.locked(policies.get(0).tree(), null, new MissingKey("7")));
        assertThat(report().isReady()).isFalse();
    }

    @Test
    void shouldDeriveAnEntryForEachWrittenDocumentAndEachProblem() {
        DocumentId good = new DocumentId("a/B/v1", "site", "good");
        DocumentId bad = new DocumentId("a/B/v1", "site", "bad");
        DocumentId elsewhere = new DocumentId("a/B/v1", "global", "elsewhere");
        derived.addAll(SchemaValidation.of(
                List.of(good, bad),
                List.of(
                        Problem.of(ProblemCode.INVALID_DOCUMENT_LAYER, bad, "is in no layer", "mend it")
                                .at(".metadata"),
                        Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, elsewhere, "lacks a key", null)),
                NOW));

        assertThat(report().entries()).extracting(Entry::status).containsExactly("success", "failure", "failure");
        assertThat(Json.text(report().entries().get(1).errors().get(0))).isEqualTo(Json.text(Json.map("""
                        {'name':'InvalidDocumentLayer','kind':'ValidationMessage','level':'Error',
                         'documents':[{'schema':'a/B/v1','layer':'site','name':'bad'}],
                         'message':'.metadata is in no layer','diagnostic':'mend it'}
                        """)));
        assertThat(report().statuses()).containsEntry(SchemaValidation.NAME, "failure");
    }

    @Test
    void shouldNotFailTheSchemaValidationForProblemsOfRendering() {
        DocumentId broken = new DocumentId("a/B/v1", "site", "broken");
        DocumentId schema = new DocumentId("deckhand/DataSchema/v1", "", "a/B/v1");
        Problem breaks = Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, broken, "breaks it", null)
                .relatedTo(List.of(schema));
        Problem blocked = Problem.of(
                        ProblemCode.INVALID_DOCUMENT_FORMAT,
                        new DocumentId("a/B/v1", "site", "child"),
                        "depends on it",
                        null)
                .relatedTo(List.of(broken));
        Problem noPolicy = Problem.of(ProblemCode.LAYERING_POLICY_NOT_FOUND, "there is none", null);
        Problem noSchema = Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, schema, "is no schema", null);

        derived.addAll(SchemaValidation.of(List.of(broken), List.of(breaks, blocked, noPolicy), NOW));
        assertThat(report().entries()).extracting(Entry::status).containsExactly("success");
        derived.addAll(SchemaValidation.of(List.of(), List.of(noSchema), NOW));
        assertThat(report().statuses()).containsEntry(SchemaValidation.NAME, "failure");
    }

    @Test
    void shouldKeepProblemsWhereThereAreTooManyDocuments() {
        List<DocumentId> many = IntStream.range(0, 12_000)
                .mapToObj(i -> new DocumentId("a/B/v1", "site", "d" + i))
                .toList();
        Problem last = Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, many.get(11_999), "lacks a key", null);

        List<ValidationResult> results = SchemaValidation.of(many, List.of(last), NOW);
        assertThat(results)
                .hasSize(10_000)
                .filteredOn(each -> !each.isSuccess())
                .hasSize(1);
    }

    /** {@code -Dstrake.seed=N} repeats a run. */
    @Test
    void shouldJudgeRandomResultsAsAPlainReadingOfTheRules() {
        long seed = Long.getLong("strake.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            policies.clear();
            posted.clear();
            Map<String, Integer> days = new TreeMap<>(); // for each expected one, its expiry
            int count = random.nextInt(3);
            for (int i = 0; i < count; i++) {
                StringBuilder list = new StringBuilder();
                for (String name : List.of("a-validation", "b-validation", "c-validation")) {
                    if (random.nextBoolean()) {
                        int expires = random.nextInt(4);
                        String text = expires == 0 ? "" : ",'expiresAfter':'P" + expires + "D'";
                        list.append(list.isEmpty() ? "" : ",").append("{'name':'" + name + "'" + text + "}");
                        days.merge(name, expires == 0 ? 99 : expires, Math::min);
                    }
                }
                policy("p" + i, list.toString());
            }
            for (int i = random.nextInt(6); i > 0; i--) {
                String name =
                        List.of("a-validation", "b-validation", "d-validation").get(random.nextInt(3));
                post(name, random.nextInt(3) == 0 ? "failure" : "success", NOW - i * DAY);
            }
            ReadinessReport report = report(NOW + 1);
            boolean isReady = true;
            for (String name : List.of("a-validation", "b-validation", "c-validation", "d-validation")) {
                List<ValidationResult> of =
                        posted.stream().filter(each -> each.name().equals(name)).toList();
                boolean fails = of.stream().anyMatch(each -> !each.isSuccess());
                boolean isExpected = days.containsKey(name);
                long age = of.stream()
                        .filter(ValidationResult::isSuccess)
                        .mapToLong(each -> (NOW + 1 - each.time() + DAY - 1) / DAY)
                        .min()
                        .orElse(0);
                boolean succeeds = !of.isEmpty() && !fails && (!isExpected || age <= days.get(name));
                String status = of.isEmpty() && !isExpected
                        ? null
                        : isExpected || count == 0
                                ? succeeds ? "success" : "failure"
                                : fails ? "ignored [failure]" : "ignored [success]";
                isReady &= !isExpected || succeeds;
                assertThat(report.statuses().get(name))
                        .as("-Dstrake.seed=" + seed)
                        .isEqualTo(status);
                assertThat(report.entries(name)).hasSize(isExpected ? Math.max(1, of.size()) : of.size());
            }
            assertThat(report.isReady()).as("-Dstrake.seed=" + seed).isEqualTo(isReady);
            assertThat(report.policies()).hasSize(count);
        }
    }
}
