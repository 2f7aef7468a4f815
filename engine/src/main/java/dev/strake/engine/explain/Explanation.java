package dev.strake.engine.explain;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * Why one value of a rendered document is what it is.
 *
 * @param document the rendered document
 * @param place of the value in the rendered data
 * @param value what is there; null if nothing is
 * @param causes what wrote to the place, in the order of the evaluation. The last one is the winner. Those before it
 *     lost, or, where a pattern replaced part of a text, gave the rest of the text
 */
public record Explanation(DocumentId document, Place place, Value value, List<Cause> causes) {

    public Explanation {
        causes = List.copyOf(causes);
    }

    /** What gave the value; null if nothing ever wrote to the place. */
    public Cause winner() {
        return causes.isEmpty() ? null : causes.get(causes.size() - 1);
    }

    /** Never shows the value. */
    @Override
    public String toString() {
        return "Explanation[" + document + " " + place + ", " + causes.size() + " causes]";
    }
}
