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
 * A problem that has to be corrected, and the documents that cannot be rendered until then.
 *
 * @param waiting the waiting documents, in the order of their problems
 */
public record ProblemCause(Problem problem, List<DocumentId> waiting) {

    /** The maximum number of waiting documents that a text names. */
    private static final int MOST_NAMED = 5;

    /**
     * The document whose problem has to be corrected before this problem disappears. Both problems have the same code,
     * and this one names that document alone. In a cycle, one member whose problem has a path is the cause, and the
     * other members wait for it. Empty if this problem is itself a cause.
     *
     * @param problemOf returns the problem of a document; null if it has none, or the problem is not known
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
                && !other.related().contains(problem.document()); // two documents that name each other are both causes
        if (!isCause) {
            return Optional.empty();
        }
        return isOfCycle(other) ? toldOf(other, problemOf) : Optional.of(id);
    }

    /* Dependents of a member have the same code and name that member alone. A cycle of one document names itself. */
    private static boolean isOfCycle(Problem problem) {
        return problem.code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE
                && problem.document() != null
                && (problem.related().size() > 1 || problem.related().contains(problem.document()));
    }

    /* The first member whose problem has a path; without any, the first member with a known problem. */
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

    /** Returns a function that finds the problem of a document. */
    public static Function<DocumentId, Problem> among(List<Problem> problems) {
        Map<DocumentId, Problem> byDocument = new HashMap<>();
        for (Problem each : problems) {
            if (each.document() != null) {
                byDocument.putIfAbsent(each.document(), each);
            }
        }
        return byDocument::get;
    }

    /** Groups problems by their causes, in the order of the causes. */
    public static List<ProblemCause> of(List<Problem> problems) {
        Function<DocumentId, Problem> problemOf = among(problems);
        return of(problems, problem -> waitsFor(problem, problemOf));
    }

    /**
     * As {@link #of(List)}, if the caller knows what waits. If the document to wait for has none of the problems, the
     * waiting problem counts as a cause.
     *
     * @param waitsFor returns the document whose problem has to be corrected first; empty for a cause
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

    /** Reduces the problems of each cycle to one: that of the member that the others wait for. */
    public static List<Problem> once(List<Problem> problems) {
        Function<DocumentId, Problem> problemOf = among(problems);
        return problems.stream()
                .filter(each -> !isOfCycle(each) || waitsFor(each, problemOf).isEmpty())
                .toList();
    }

    /** A line that names the waiting documents; empty if there are none. */
    public Optional<String> describeWaiting() {
        return describeWaiting(false);
    }

    /**
     * As {@link #describeWaiting()}, for documents that may not be complete.
     *
     * @param isCut whether more documents may wait than are known
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
