package dev.strake.heat.source;

import dev.strake.engine.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that is wrong with a tree of templates, in Heat's words.
 *
 * <p>Heat writes {@code error: path: message}. On the way out of nested stacks the path grows at its front, and an
 * exception that is not about a stack becomes the error: {@code ValueError: resources.outer<file>: ...}.
 *
 * @param kind the name of Heat's exception, or {@code Error} where Heat answers with a text
 * @param error what stands before the path; may be empty
 * @param path where it is, as Heat writes it: sections, names, {@code resource<file>}
 * @param file the file at fault, or null
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

    /** A fault that Heat raises by an exception which knows no path. */
    public static Fault raised(FaultCode code, String kind, String message) {
        return new Fault(code, kind, "", List.of(), message, null, null);
    }

    /** A fault of a stack. */
    public static Fault of(FaultCode code, String message) {
        return raised(code, STACK, message);
    }

    /** A fault of a stack with something before its path, such as {@code Property error}. */
    public static Fault of(FaultCode code, String error, List<String> path, String message) {
        return new Fault(code, STACK, error, path, message, null, null);
    }

    /** A fault of the properties of a resource. */
    public static Fault ofProperty(FaultCode code, List<String> path, String message) {
        return of(code, "Property error", path, message);
    }

    /** A fault of a stack at a path. */
    public static Fault at(FaultCode code, List<String> path, String message) {
        return of(code, "", path, message);
    }

    /** This fault in a file, unless it is known to be in another one. */
    public Fault in(String itsFile, String itsPlace) {
        return file == null
                ? new Fault(code, kind, error, path, message, itsFile, place == null ? itsPlace : place)
                : this;
    }

    /** This fault at an origin, unless it has a file already. The origin is null if it is not known. */
    public Fault in(Origin origin) {
        return origin == null ? this : in(origin.file(), origin.place());
    }

    /** This fault as the stack reports it that nests the one at fault. */
    public Fault inside(List<String> outer) {
        if (!kind.equals(STACK)) {
            return new Fault(code, STACK, kind, outer, text(), file, place);
        }
        List<String> longer = new ArrayList<>(outer);
        longer.addAll(path);
        return new Fault(code, kind, error, longer, message, file, place);
    }

    /** This fault as Heat answers it where it does not raise it. */
    public Fault answered() {
        return kind.equals(STACK) || code == FaultCode.RESOURCE_LIMIT
                ? new Fault(code, "Error", error, path, message, file, place)
                : this;
    }

    /** This fault as Heat raises it where a nested stack comes across it: a template that is not there, or none. */
    public Fault raisedByNested() {
        return switch (code) {
            case TEMPLATE_MISSING -> new Fault(code, "NotFound", error, path, message, file, place);
            case TEMPLATE_PARSE -> new Fault(code, "ValueError", error, path, message, file, place);
            default -> this;
        };
    }

    /** Where the fault is: {@code resources.outer<file>.properties.p}. */
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

    /** The fault as Heat words it. */
    public String text() {
        String where = pathText();
        return (error.isEmpty() ? "" : error + ": ") + (where.isEmpty() ? "" : where + ": ") + message;
    }
}
