package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.List;
import java.util.function.Function;

/**
 * Counts problems, and the documents that wait for their correction.
 *
 * @param problems the number of causes
 * @param waiting the number of documents that cannot be rendered before the causes are corrected
 */
public record ProblemCount(int problems, int waiting) {

    /**
     * Counts problems.
     *
     * @param problemOf returns the problem of any document, counted or not; null if it has none, or it is not known
     */
    public static ProblemCount of(List<Problem> counted, Function<DocumentId, Problem> problemOf) {
        int waiting = (int) counted.stream()
                .filter(each -> ProblemCause.waitsFor(each, problemOf).isPresent())
                .count();
        return new ProblemCount(counted.size() - waiting, waiting);
    }

    public boolean isZero() {
        return problems == 0 && waiting == 0;
    }

    /** A text for users, for example {@code 2 problems, 6 documents wait for them}. */
    public String describe() {
        String of = problems == 1 ? "1 problem" : problems + " problems";
        return waiting == 0 ? of : problems == 0 ? describeWaiting() : of + ", " + describeWaiting();
    }

    /** Describes the waiting documents, for a sentence that has already named the problems. */
    public String describeWaiting() {
        return describeWaiting("");
    }

    String describeWaiting(String orMore) {
        boolean isOne = waiting == 1 && orMore.isEmpty();
        return (isOne ? "1 document waits for " : waiting + orMore + " documents wait for ")
                + (problems == 0 ? "a problem" : problems == 1 ? "it" : "them");
    }
}
