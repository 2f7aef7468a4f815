package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A problem that somebody has to mend, and the documents that cannot be rendered until then.
 *
 * @param waiting in the order of their problems
 */
public record ProblemCause(Problem problem, List<DocumentId> waiting) {

    /** How many of the waiting documents are named. */
    private static final int MOST_NAMED = 5;

    /**
     * The document whose problem has to be mended so that this one goes. Both have the same code, and this one names that
     * document alone. Of a cycle, one member with a place that can be mended is the cause, and the others wait for it. Empty
     * if this problem is a cause itself.
     *
     * @param problemOf the problem of a document; null if it has none, or is not known
     */
    public static Optional<DocumentId> waitsFor(Problem problem, Function<DocumentId, Problem> problemOf) {
        if (isOfCycle(problem)) {
            return toldOf(problem, problemOf).filter(told -> !told.equals(problem.document()));
        }
        if (problem.document() == null || problem.related().size() != 1) {
            return Optional.empty();
        }
        DocumentId id = problem.related().get(0);
        Problem other = problemOf.apply(id);
        boolean isCause = other != null
                && !id.equals(problem.document())
                && other.code() == problem.code()
                && !other.related().contains(problem.document()); // two that name each other are both causes
        if (!isCause) {
            return Optional.empty();
        }
        return isOfCycle(other) ? toldOf(other, problemOf) : Optional.of(id);
    }

    /* What depends on a member has the same code, and names that member alone. A cycle of one names itself. */
    private static boolean isOfCycle(Problem problem) {
        return problem.code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE
                && problem.document() != null
                && (problem.related().size() > 1 || problem.related().contains(problem.document()));
    }

    /* The first member with a place; without any, the first that is known. */
    private static Optional<DocumentId> toldOf(Problem ofCycle, Function<DocumentId, Problem> problemOf) {
        DocumentId first = null;
        for (DocumentId member : ofCycle.related()) {
            Problem its = problemOf.apply(member);
            if (its != null && its.code() == ofCycle.code() && its.path() != null) {
                return Optional.of(member);
            }
            first = first == null && its != null ? member : first;
        }
        return Optional.ofNullable(first);
    }

    /** Finds the problem of a document among problems. */
    public static Function<DocumentId, Problem> among(List<Problem> problems) {
        Map<DocumentId, Problem> byDocument = new HashMap<>();
        for (Problem each : problems) {
            if (each.document() != null) {
                byDocument.putIfAbsent(each.document(), each);
            }
        }
        return byDocument::get;
    }

    /** The causes among problems, in their order. */
    public static List<ProblemCause> of(List<Problem> problems) {
        Function<DocumentId, Problem> problemOf = among(problems);
        return of(problems, problem -> waitsFor(problem, problemOf));
    }

    /**
     * The same where it is known what waits. What waits for a document that has none of the problems stands by itself.
     *
     * @param waitsFor the document whose problem has to be mended first; empty for a cause
     */
    public static List<ProblemCause> of(List<Problem> problems, Function<Problem, Optional<DocumentId>> waitsFor) {
        Function<DocumentId, Problem> problemOf = among(problems);
        Map<Problem, List<DocumentId>> causes = new LinkedHashMap<>();
        Map<Problem, Problem> causeOf = new HashMap<>();
        for (Problem each : problems) {
            Problem cause = waitsFor.apply(each).map(problemOf).orElse(null);
            if (cause == null) {
                causes.put(each, new ArrayList<>());
            } else {
                causeOf.put(each, cause);
            }
        }
        for (Problem each : problems) {
            if (causeOf.containsKey(each)) {
                causes.computeIfAbsent(causeOf.get(each), none -> new ArrayList<>())
                        .add(each.document());
            }
        }
        return causes.entrySet().stream()
                .map(each -> new ProblemCause(each.getKey(), List.copyOf(each.getValue())))
                .toList();
    }

    /** The problems, of each cycle only the one of the member that the others wait for. */
    public static List<Problem> once(List<Problem> problems) {
        Function<DocumentId, Problem> problemOf = among(problems);
        return problems.stream()
                .filter(each -> !isOfCycle(each) || waitsFor(each, problemOf).isEmpty())
                .toList();
    }

    /** A line that says which documents wait; empty if none do. */
    public Optional<String> describeWaiting() {
        return describeWaiting(false);
    }

    /**
     * The same.
     *
     * @param isCut whether more may wait than is known
     */
    public Optional<String> describeWaiting(boolean isCut) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        String some = waiting.stream()
                .limit(MOST_NAMED)
                .map(id -> Location.inOneLine(id.toString()))
                .collect(Collectors.joining(", "));
        int more = waiting.size() - MOST_NAMED;
        String others = isCut ? " and others" : more > 0 ? " and " + more + " more" : "";
        return Optional.of("and " + new ProblemCount(1, waiting.size()).describeWaiting(isCut ? " or more" : "") + ": "
                + some + others);
    }
}
