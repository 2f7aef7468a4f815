package dev.strake.engine.readiness;

import dev.strake.engine.tree.MapValue;
import java.util.List;

/**
 * What came of one validation of a revision, as a service posted it; one entry of Deckhand's validations. No result
 * replaces another.
 *
 * @param name of the validation, such as {@code promenade-site-validation}
 * @param status {@link #SUCCESS} or any other text; nothing else is a success
 * @param validator who validated: a name and a version
 * @param errors such as {@code {documents: [{schema, name}], message}}
 * @param time when it was posted, in milliseconds
 */
public record ValidationResult(String name, String status, MapValue validator, List<MapValue> errors, long time) {

    public static final String SUCCESS = "success";
    public static final String FAILURE = "failure";

    public ValidationResult {
        errors = List.copyOf(errors);
    }

    public boolean isSuccess() {
        return status.equals(SUCCESS);
    }
}
