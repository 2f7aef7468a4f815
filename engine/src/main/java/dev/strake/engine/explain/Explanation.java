package dev.strake.engine.explain;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * Why one value of a rendered document is what it is.
 *
 * @param document the rendered document
 * @param place the place of the value in the rendered data
 * @param value the value at the place, or null
 * @param causes the steps that wrote to the place, in order of evaluation. The last one is the winner. Earlier steps
 *     were overridden, or wrote the rest of a text of which a pattern replaced a part
 */
public record Explanation(DocumentId document, Place place, Value value, List<Cause> causes) {

    public Explanation {
        causes = List.copyOf(causes);
    }

    /** The step that wrote the value; null if no step wrote to the place. */
    public Cause winner() {
        return causes.isEmpty() ? null : causes.get(causes.size() - 1);
    }

    /** Never shows the value. */
    @Override
    public String toString() {
        return "Explanation[" + document + " " + place + ", " + causes.size() + " causes]";
    }
}
