package dev.strake.engine.readiness;

import dev.strake.engine.tree.MapValue;
import java.util.List;

/**
 * The result of one validation of a revision, as a service posted it; one entry of Deckhand's validations. No result
 * replaces another.
 *
 * @param name the name of the validation, for example {@code promenade-site-validation}
 * @param status {@link #SUCCESS} or any other text; only {@link #SUCCESS} is a success
 * @param validator the name and version of the service that validated
 * @param errors for example {@code {documents: [{schema, name}], message}}
 * @param time when the result was posted, in milliseconds
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
