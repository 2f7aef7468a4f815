package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is wrong with a revision, in short.
 *
 * @param problems how many there are
 * @param cause the first that is no mere consequence of another one: that of the revision as a whole, or else the first in order of
 *     identity; empty if there are no problems
 */
public record Trouble(int problems, Optional<Problem> cause) {

    /**
     * Of a revision.
     *
     * @param whole the problem of the revision as a whole, if it has one
     * @param ofDocuments the problems of its documents, in any order
     * @param most of so many no more are read
     * @param problemOf the problem of any document, or nothing
     */
    static Trouble of(
            Optional<Problem> whole,
            Stream<Problem> ofDocuments,
            int most,
            Function<DocumentId, Optional<Problem>> problemOf) {
        List<Problem> read = causesFirst(whole, ofDocuments, most);
        // Its cause may be one that was not read.
        Optional<Problem> cause =
                read.stream().findFirst().map(each -> causeOf(each, problemOf).orElse(each));
        return new Trouble(read.size(), cause);
    }

    /** The problems of a revision: that of the revision as a whole, those that are causes, and what comes of these. */
    static List<Problem> causesFirst(Optional<Problem> whole, Stream<Problem> ofDocuments, int most) {
        SortedMap<DocumentId, Problem> read = new TreeMap<>();
        ofDocuments.limit(most).forEach(each -> read.put(each.document(), each));
        Map<Boolean, List<Problem>> isCause = read.values().stream()
                .collect(Collectors.partitioningBy(each ->
                        causeOf(each, id -> Optional.ofNullable(read.get(id))).isEmpty()));
        return Stream.of(whole.stream(), isCause.get(true).stream(), isCause.get(false).stream())
                .flatMap(each -> each)
                .toList();
    }

    /* A document is blocked by one cause. Its problem has the code of that one, and names it. Members of a cycle name each other. */
    private static Optional<Problem> causeOf(Problem problem, Function<DocumentId, Optional<Problem>> problemOf) {
        if (problem.related().size() != 1 || problem.related().contains(problem.document())) {
            return Optional.empty();
        }
        return problemOf
                .apply(problem.related().get(0))
                .filter(other ->
                        other.code() == problem.code() && !other.related().contains(problem.document()));
    }
}
