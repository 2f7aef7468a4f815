package dev.strake.engine.explain;

import dev.strake.engine.document.Action;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;

/** One step that wrote to a place of a rendered document. */
public sealed interface Cause {

    /** The document that contains the step. */
    DocumentId document();

    /** The place of the step in that document, in the notation of problems. */
    String place();

    /** The value at the explained place after the step; null if the step removed it. */
    Value value();

    /**
     * The document's own data, if it layers on nothing.
     *
     * @param inData the place of the value in that data
     */
    record Own(DocumentId document, Place inData, Value value) implements Cause {

        @Override
        public String place() {
            return inDocument(inData).toString();
        }
    }

    static Place inDocument(Place inData) {
        return Place.ROOT.at("data").then(inData);
    }

    /**
     * The rendered data of the parent.
     *
     * @param document the document that is layered
     * @param base the parent, or its replacement
     * @param from why the base has the value
     */
    record Inherited(DocumentId document, String place, DocumentId base, Explanation from, Value value)
            implements Cause {}

    /**
     * An action of layering.
     *
     * @param number position of the action, counted from 0
     * @param inData the place of the value in the document's own data; null if the action removed something, or if its
     *     path matches several places and it copied to this one what the base had at another
     */
    record Layered(DocumentId document, String place, int number, Action action, Place inData, Value value)
            implements Cause {}

    /**
     * A substitution.
     *
     * @param asked the destination in the document
     * @param picked the text that the source's pattern matched, or the whole value
     * @param from why the source has the value that was read; null if this is not known
     */
    record Substituted(DocumentId document, String place, Asked asked, Value picked, Explanation from, Value value)
            implements Cause {

        /**
         * One destination of a substitution, as written in the document.
         *
         * @param number position of the substitution, counted from 0
         * @param source the requested value
         * @param destination where the value is written
         */
        public record Asked(int number, Substitution.Source source, Substitution.Destination destination) {}
    }

    /**
     * A document was derived from others.
     *
     * @param document the owner, from which the explained document is derived
     * @param from why the document that was read has the value; null if the owner's kind computed the value
     */
    record Derived(DocumentId document, String place, Explanation from, Value value) implements Cause {}

    /**
     * An operation of another document.
     *
     * @param document the document with the operations
     * @param number position of the operation, counted from 0
     * @param type of the operation: {@code replace} or {@code remove}
     * @param from why the operation has the value; null if it removed something, or if its path made the value
     */
    record Operated(DocumentId document, String place, int number, String type, Explanation from, Value value)
            implements Cause {}
}
