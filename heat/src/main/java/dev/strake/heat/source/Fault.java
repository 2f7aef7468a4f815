package dev.strake.heat.source;

import dev.strake.engine.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * A fault in a tree of templates, worded as in Heat.
 *
 * <p>Heat writes {@code error: path: message}. Each parent stack prepends to the path. An exception that does not
 * concern a stack becomes the error: {@code ValueError: resources.outer<file>: ...}.
 *
 * @param kind the name of Heat's exception, or {@code Error} where Heat returns a text
 * @param error the text before the path; may be empty
 * @param path the place, as in Heat: sections, names, {@code resource<file>}
 * @param file the file that contains the fault; null if unknown
 * @param place the place in that file, in the notation of problems; null for the file as a whole
 */
public record Fault(
        FaultCode code, String kind, String error, List<String> path, String message, String file, String place) {

    public static final String STACK = "StackValidationFailed";

    private static final int LONGEST_MESSAGE = 2_000;
    private static final int LONGEST_PLACE = 1_000;

    public Fault {
        path = path.stream().map(item -> Problem.cut(item, LONGEST_PLACE)).toList();
        message = Problem.cut(message, LONGEST_MESSAGE);
        place = place == null ? null : Problem.cut(place, LONGEST_PLACE);
    }

    /** Creates a fault that Heat raises as an exception without a path. */
    public static Fault raised(FaultCode code, String kind, String message) {
        return new Fault(code, kind, "", List.of(), message, null, null);
    }

    /** Creates a fault of a stack. */
    public static Fault of(FaultCode code, String message) {
        return raised(code, STACK, message);
    }

    /** Creates a fault of a stack with a text before its path, such as {@code Property error}. */
    public static Fault of(FaultCode code, String error, List<String> path, String message) {
        return new Fault(code, STACK, error, path, message, null, null);
    }

    /** Creates a fault of the properties of a resource. */
    public static Fault ofProperty(FaultCode code, List<String> path, String message) {
        return of(code, "Property error", path, message);
    }

    /** Creates a fault of a stack at a path. */
    public static Fault at(FaultCode code, List<String> path, String message) {
        return of(code, "", path, message);
    }

    /** Returns this fault with a file, unless it already has one. */
    public Fault in(String itsFile, String itsPlace) {
        return file == null
                ? new Fault(code, kind, error, path, message, itsFile, place == null ? itsPlace : place)
                : this;
    }

    /** Returns this fault with an origin, unless it already has a file. The origin may be null if it is unknown. */
    public Fault in(Origin origin) {
        return origin == null ? this : in(origin.file(), origin.place());
    }

    /** Returns this fault as the parent stack reports it. */
    public Fault inside(List<String> outer) {
        if (!kind.equals(STACK)) {
            return new Fault(code, STACK, kind, outer, text(), file, place);
        }
        List<String> longer = new ArrayList<>(outer);
        longer.addAll(path);
        return new Fault(code, kind, error, longer, message, file, place);
    }

    /** Returns this fault as Heat returns it, where Heat does not raise it. */
    public Fault answered() {
        return kind.equals(STACK) || code == FaultCode.RESOURCE_LIMIT
                ? new Fault(code, "Error", error, path, message, file, place)
                : this;
    }

    /** Returns this fault as Heat raises it for a nested stack, if its template is missing or invalid. */
    public Fault raisedByNested() {
        return switch (code) {
            case TEMPLATE_MISSING -> new Fault(code, "NotFound", error, path, message, file, place);
            case TEMPLATE_PARSE -> new Fault(code, "ValueError", error, path, message, file, place);
            default -> this;
        };
    }

    /** Returns the path as text: {@code resources.outer<file>.properties.p}. */
    public String pathText() {
        StringBuilder text = new StringBuilder();
        for (String item : path) {
            if (!item.isEmpty() && item.chars().allMatch(c -> c >= '0' && c <= '9')) {
                text.append('[').append(item).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(item);
            }
        }
        return text.toString();
    }

    /** Returns the fault as worded in Heat. */
    public String text() {
        String where = pathText();
        return (error.isEmpty() ? "" : error + ": ") + (where.isEmpty() ? "" : where + ": ") + message;
    }
}
