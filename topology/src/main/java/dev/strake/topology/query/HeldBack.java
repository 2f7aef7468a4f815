package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Output;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Documents that are not published because of a problem.
 *
 * @param documents the number of such documents
 * @param some the first of them, each with whether consumers see an earlier record of it
 */
public record HeldBack(int documents, SortedMap<DocumentKey, Boolean> some) {

    /**
     * Finds the held back documents of a revision.
     *
     * @param renderings the renderings of all its documents
     * @param held finds the record that consumers see under a key whose new record is held back
     * @param most the largest number of documents to name
     */
    static HeldBack of(Stream<Read<Rendering>> renderings, Function<DocumentKey, Optional<Output>> held, int most) {
        SortedMap<DocumentKey, Boolean> some = new TreeMap<>();
        int[] documents = new int[1];
        renderings
                .filter(read -> read.entry().problem() != null && read.entry().inRenderedSet())
                .forEach(read -> {
                    documents[0]++;
                    if (some.size() < most) {
                        DocumentKey key = read.id().key();
                        some.put(key, held.apply(key).isPresent());
                    }
                });
        return new HeldBack(documents[0], some);
    }
}
