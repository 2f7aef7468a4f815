package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.DocumentsCheck.revision;
import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.Trouble;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonReader;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.rendered.ProblemKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks the problems of one workspace, revision by revision: exactly those of the head have to be published. */
final class ProblemsCheck {

    /** The maximum number of problems in an outcome. */
    private static final int LISTED = 100;

    private final Verdict verdict;
    private final Deque<ConsumerRecord<byte[], byte[]>> records;

    /** The problem of the workspace as a whole has the key null. */
    private final Map<DocumentId, Problem> reported = new HashMap<>();

    ProblemsCheck(Verdict verdict, List<ConsumerRecord<byte[], byte[]>> records) {
        this.verdict = verdict;
        this.records = new ArrayDeque<>(records);
    }

    /** Reads the problems up to an outcome, and compares them with the outcome. */
    void take(Moment moment) {
        while (!records.isEmpty() && revision(records.getFirst()) <= moment.revision()) {
            ConsumerRecord<byte[], byte[]> each = records.removeFirst();
            if (revision(each) < moment.revision() || !moment.isRevision()) {
                verdict.broke(
                        Promise.WHOLE,
                        "%s: the problem at %s is of revision %d, whose outcome came before"
                                .formatted(moment, place(each), revision(each)));
            }
            take(each, moment);
        }
        if (moment.isRevision()) {
            compareWithOutcome(moment);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record, Moment moment) {
        DocumentId id = ProblemKey.of(record.key()).document();
        Problem problem = record.value() == null ? null : ProblemJson.read(JsonReader.read(record.value()));
        Problem before = problem == null ? reported.remove(id) : reported.put(id, problem);
        if (Objects.equals(before, problem)) {
            verdict.broke(
                    Promise.MINIMAL,
                    "%s: the problem at %s repeats what is known already".formatted(moment, place(record)));
        }
        if (problem != null && !Objects.equals(problem.document(), id)) {
            verdict.broke(
                    Promise.REPORTED,
                    "%s: the problem at %s is of another document than its key".formatted(moment, place(record)));
        }
    }

    private void compareWithOutcome(Moment moment) {
        List<Problem> listed = moment.outcome().problems();
        boolean isListed = listed.size() == Math.min(LISTED, reported.size())
                && listed.stream().allMatch(each -> each.equals(reported.get(each.document())));
        if (!isListed || reported.isEmpty() != (moment.outcome().status() == OutcomeStatus.RENDERED)) {
            verdict.broke(
                    Promise.REPORTED,
                    "%s is %s and lists %d problems, those of the topic are %d, or others"
                            .formatted(moment, moment.outcome().status().text(), listed.size(), reported.size()));
        }
    }

    /** Compares the problems of the head with those of a full rendering, except for their messages. */
    void compare(FullRendering full, Moment moment) {
        Set<DocumentId> all = new HashSet<>(full.troubles().keySet());
        all.addAll(reported.keySet());
        all.remove(null);
        for (DocumentId id : all) {
            Trouble expected = full.troubles().get(id);
            Problem known = reported.get(id);
            if (!told(known).equals(told(expected))) {
                verdict.broke(
                        Promise.REPORTED,
                        "%s: %s is reported with %s, a full rendering has %s"
                                .formatted(moment, id, told(known), told(expected)));
            }
        }
        Problem whole = reported.get(null);
        ProblemCode code = whole == null ? null : whole.code();
        if (code != (full.lacksPolicy() ? ProblemCode.LAYERING_POLICY_NOT_FOUND : null)) {
            verdict.broke(
                    Promise.REPORTED,
                    "%s: the workspace is reported with %s, and there is %s policy"
                            .formatted(moment, code, full.lacksPolicy() ? "no" : "a"));
        }
        verdict.looked(Promise.REPORTED, "revisions");
    }

    private static String told(Problem problem) {
        return problem == null ? "nothing" : told(problem.code(), problem.path(), problem.related());
    }

    private static String told(Trouble trouble) {
        return trouble == null ? "nothing" : told(trouble.code(), trouble.path(), trouble.related());
    }

    private static String told(ProblemCode code, String path, List<DocumentId> related) {
        return code + " at " + path + " with " + related;
    }

    /** Reports problems without an outcome. */
    void end() {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            verdict.broke(
                    Promise.WHOLE,
                    "no outcome belongs to the problem of revision %d at %s"
                            .formatted(revision(record), place(record)));
        }
    }
}
