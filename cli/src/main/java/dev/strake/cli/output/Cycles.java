package dev.strake.cli.output;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Cycles among the problems of documents. Each member has the problem, and whoever has to break a cycle wants to read it once. */
public final class Cycles {

    private Cycles() {}

    /** The problems, of each cycle only that of its first member. */
    public static List<Problem> once(List<Problem> problems) {
        Set<List<DocumentId>> seen = new HashSet<>();
        return problems.stream()
                .filter(problem -> !isOfMember(problem) || seen.add(problem.related()))
                .toList();
    }

    /* What depends on a member has the same code, and names that member alone. A cycle of one names itself. */
    private static boolean isOfMember(Problem problem) {
        return problem.code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE
                && (problem.related().size() > 1 || problem.related().contains(problem.document()));
    }
}
