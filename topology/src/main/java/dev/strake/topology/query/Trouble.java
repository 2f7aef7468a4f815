package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A summary of the problems of a revision.
 *
 * @param count the number of problems
 * @param cause the first problem that is not a consequence of another: the problem of the revision as a whole, or else
 *     the first by identity; empty if there are no problems
 */
public record Trouble(ProblemCount count, Optional<Problem> cause) {

    /**
     * Summarizes the problems of a revision.
     *
     * @param whole the problem of the revision as a whole, if it has one
     * @param ofDocuments the problems of its documents, in any order
     * @param most the largest number of documents' problems to read
     * @param problemOf finds the problem of any document; empty if there is none
     */
    static Trouble of(
            Optional<Problem> whole,
            Stream<Problem> ofDocuments,
            int most,
            Function<DocumentId, Optional<Problem>> problemOf) {
        List<Problem> read = causesFirst(whole, ofDocuments, most);
        // The cause of a problem may be one that was not read.
        Map<DocumentId, Problem> known = new HashMap<>();
        Function<DocumentId, Problem> among = ProblemCause.among(read);
        Function<DocumentId, Problem> any = id -> known.computeIfAbsent(
                id,
                asked -> Optional.ofNullable(among.apply(asked))
                        .or(() -> problemOf.apply(asked))
                        .orElse(null));
        Optional<Problem> cause = read.stream()
                .findFirst()
                .map(each -> ProblemCause.waitsFor(each, any).map(any).orElse(each));
        return new Trouble(ProblemCount.of(read, any), cause);
    }

    /** Returns the problems of a revision: that of the revision as a whole, then causes, then their consequences. */
    static List<Problem> causesFirst(Optional<Problem> whole, Stream<Problem> ofDocuments, int most) {
        Map<DocumentId, Problem> read = new TreeMap<>();
        ofDocuments.limit(most).forEach(each -> read.put(each.document(), each));
        Map<Boolean, List<Problem>> waits = read.values().stream()
                .collect(Collectors.partitioningBy(
                        each -> ProblemCause.waitsFor(each, read::get).isPresent()));
        return Stream.of(whole.stream(), waits.get(false).stream(), waits.get(true).stream())
                .flatMap(each -> each)
                .toList();
    }
}
