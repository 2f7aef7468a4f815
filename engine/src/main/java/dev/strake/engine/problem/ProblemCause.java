package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A problem that somebody has to mend, and the documents that cannot be rendered until then: they have its code, and name its
 * document alone.
 *
 * @param waiting in the order of their problems
 */
public record ProblemCause(Problem problem, List<DocumentId> waiting) {

    /** How many of the waiting documents are named. */
    private static final int MOST_NAMED = 5;

    /** The causes among problems, in their order. Of each cycle there is one, at a member with a place that can be mended. */
    public static List<ProblemCause> of(List<Problem> problems) {
        List<Problem> told = once(problems);
        Map<DocumentId, Problem> byDocument = new HashMap<>();
        Map<List<DocumentId>, Problem> cycles = new HashMap<>();
        for (Problem each : told) {
            if (each.document() != null) {
                byDocument.putIfAbsent(each.document(), each);
            }
            if (isOfCycle(each)) {
                cycles.put(each.related(), each);
            }
        }
        problems.stream()
                .filter(ProblemCause::isOfCycle)
                .forEach(each -> byDocument.put(each.document(), cycles.get(each.related())));
        Map<Problem, List<DocumentId>> causes = new LinkedHashMap<>();
        told.stream()
                .filter(each -> causeOf(each, byDocument) == null)
                .forEach(each -> causes.put(each, new ArrayList<>()));
        for (Problem each : told) {
            Problem cause = causeOf(each, byDocument);
            if (cause != null) {
                causes.computeIfAbsent(cause, none -> new ArrayList<>()).add(each.document());
            }
        }
        return causes.entrySet().stream()
                .map(each -> new ProblemCause(each.getKey(), List.copyOf(each.getValue())))
                .toList();
    }

    /** The problems, of each cycle only that of its first member with a place in it that can be mended. */
    public static List<Problem> once(List<Problem> problems) {
        Map<List<DocumentId>, Problem> told = new HashMap<>();
        problems.stream()
                .filter(ProblemCause::isOfCycle)
                .forEach(each ->
                        told.merge(each.related(), each, (a, b) -> a.path() != null || b.path() == null ? a : b));
        return problems.stream()
                .filter(each -> !isOfCycle(each) || each.equals(told.get(each.related())))
                .toList();
    }

    /* Null if it is a cause itself. Two problems that name each other's documents are both. */
    private static Problem causeOf(Problem problem, Map<DocumentId, Problem> byDocument) {
        if (problem.document() == null || problem.related().size() != 1 || isOfCycle(problem)) {
            return null;
        }
        Problem other = byDocument.get(problem.related().get(0));
        boolean isCause = other != null
                && !other.equals(problem)
                && other.code() == problem.code()
                && !other.related().contains(problem.document());
        return isCause ? other : null;
    }

    /* What depends on a member has the same code, and names that member alone. A cycle of one names itself. */
    private static boolean isOfCycle(Problem problem) {
        return problem.code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE
                && (problem.related().size() > 1 || problem.related().contains(problem.document()));
    }

    /** A line that says which documents wait; empty if none do. */
    public Optional<String> describeWaiting() {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        String some = waiting.stream()
                .limit(MOST_NAMED)
                .map(id -> Location.inOneLine(id.toString()))
                .collect(Collectors.joining(", "));
        int more = waiting.size() - MOST_NAMED;
        return Optional.of("and "
                + (waiting.size() == 1 ? "1 document waits" : waiting.size() + " documents wait")
                + " for it: " + some + (more > 0 ? " and " + more + " more" : ""));
    }
}
