package dev.strake.cli.output;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cycles among the problems of documents. Each member has the problem, and whoever has to break a cycle wants to read it once. */
public final class Cycles {

    private Cycles() {}

    /** The problems, of each cycle only that of its first member with a place in it that can be mended. */
    public static List<Problem> once(List<Problem> problems) {
        Map<List<DocumentId>, Problem> told = new HashMap<>();
        problems.stream()
                .filter(Cycles::isOfMember)
                .forEach(each ->
                        told.merge(each.related(), each, (a, b) -> a.path() != null || b.path() == null ? a : b));
        return problems.stream()
                .filter(each -> !isOfMember(each) || each.equals(told.get(each.related())))
                .toList();
    }

    /* What depends on a member has the same code, and names that member alone. A cycle of one names itself. */
    private static boolean isOfMember(Problem problem) {
        return problem.code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE
                && (problem.related().size() > 1 || problem.related().contains(problem.document()));
    }
}
