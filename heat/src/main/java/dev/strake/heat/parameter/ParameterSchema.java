package dev.strake.heat.parameter;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.util.List;
import java.util.Set;

/**
 * The declaration of a parameter in a template.
 *
 * @param defaultValue the default as written; null if there is none. YAML's null counts as none
 */
public record ParameterSchema(
        String name,
        ParameterType type,
        Value defaultValue,
        List<Constraint> constraints,
        boolean hidden,
        Notes notes) {

    /**
     * Texts for users; each is null if absent.
     *
     * @param tags tags for programs that show parameters
     */
    public record Notes(Value description, Value label, ListValue tags) {}

    private static final Set<String> KEYS =
            Set.of("type", "description", "default", "schema", "constraints", "hidden", "label", "immutable", "tags");

    /**
     * Reads a declaration.
     *
     * @param knowsModulo whether the version of the template has the constraint modulo
     * @param knowsTags whether the version of the template has the key tags
     * @throws FaultException if the declaration is invalid, worded as in Heat
     */
    public static ParameterSchema read(String name, Value written, boolean knowsModulo, boolean knowsTags) {
        var map = ConstraintReader.checked(written, KEYS, "parameter (" + name + ")");
        if (map.has("tags") && !knowsTags) {
            throw ConstraintReader.wrong("Invalid key 'tags' for parameter (" + name + ")");
        }
        if (!map.has("type")) {
            throw ConstraintReader.wrong("Missing parameter type for parameter: " + name);
        }
        List<Constraint> constraints = ConstraintReader.read(name, map.get("constraints"), knowsModulo);
        ParameterType type = map.get("type") instanceof Text text ? ParameterType.of(text.value()) : null;
        if (type == null) {
            throw ConstraintReader.wrong("Invalid type (" + PythonText.str(map.get("type")) + ")");
        }
        Value tags = map.get("tags");
        if (tags != null && !(tags instanceof ListValue)) {
            throw ConstraintReader.wrong("Tags property should be a list for parameter: " + name);
        }
        Value hidden = map.get("hidden");
        return new ParameterSchema(
                name,
                type,
                present(map.get("default")),
                constraints,
                hidden != null && Python.isTrue(hidden),
                new Notes(
                        present(map.get("description")),
                        present(map.get("label")),
                        tags instanceof ListValue list ? list : null));
    }

    private static Value present(Value value) {
        return value instanceof Null ? null : value;
    }

    /** Returns this declaration with a default from an environment; null removes the default. */
    public ParameterSchema withDefault(Value other) {
        return new ParameterSchema(name, type, present(other), constraints, hidden, notes);
    }

    /** Whether a template resource has to supply the parameter. */
    public boolean required() {
        return defaultValue == null;
    }

    /**
     * Checks that the constraints fit the type.
     *
     * @throws FaultException if one does not
     */
    public void checkConstraints() {
        for (Constraint constraint : constraints) {
            if (!constraint.types().contains(type)) {
                throw invalid(
                        FaultCode.PARAMETER_SCHEMA, constraint.name() + " constraint invalid for " + type.written());
            }
        }
    }

    /**
     * Checks that the constraints fit the type, and that the default satisfies them.
     *
     * @throws FaultException if one does not fit
     */
    public void check(Budget budget) {
        checkConstraints();
        if (defaultValue == null) {
            return;
        }
        Value value = defaultValue;
        if (type == ParameterType.COMMA_DELIMITED_LIST && value instanceof ListValue list) {
            value = ListValue.of(list.items().stream()
                    .map(item -> new Text(PythonText.str(item)))
                    .toList());
        } else if (type == ParameterType.COMMA_DELIMITED_LIST && value instanceof Text text) {
            value = splitPlainly(text.value());
        } else if (type == ParameterType.COMMA_DELIMITED_LIST) {
            throw invalid(
                    FaultCode.PARAMETER_DEFAULT,
                    "Default must be a comma-delimited list string: '" + Python.type(value)
                            + "' object has no attribute 'split'");
        }
        boolean secret = hidden && Python.isTrue(value);
        String complaint = unfit(value, secret, budget);
        if (complaint != null) {
            String shown = secret ? Redaction.MASK.value() : PythonText.str(defaultValue);
            throw invalid(FaultCode.PARAMETER_DEFAULT, "Invalid default " + shown + " (" + complaint + ")");
        }
    }

    /**
     * Checks that the default has the type, as Heat does at creation if no other value is supplied.
     *
     * @throws FaultException if it does not
     */
    public void checkTypeOfDefault() {
        try {
            if (defaultValue != null) {
                ParameterValues.inTemplate(type, defaultValue);
            }
        } catch (IllegalArgumentException e) {
            throw invalid(
                    FaultCode.PARAMETER_DEFAULT,
                    hidden ? "Its default is not of the type " + type.written() : e.getMessage());
        }
    }

    /** Returns what is wrong with a written or supplied value: its type, or a constraint. Null if nothing is. */
    public String complaint(Value written, boolean secret, Budget budget) {
        boolean masked = secret || hidden;
        budget.spendJson(written);
        Value value;
        try {
            value = ParameterValues.inTemplate(type, written);
        } catch (IllegalArgumentException e) {
            return masked ? "it is not of the type " + type.written() : e.getMessage();
        }
        return unfit(value, masked, budget);
    }

    private String unfit(Value value, boolean secret, Budget budget) {
        for (Constraint constraint : constraints) {
            String complaint;
            try {
                complaint = constraint.complaint(value, type, budget);
            } catch (IllegalArgumentException e) {
                complaint = e.getMessage(); // a text that should be a number
            }
            if (complaint != null) {
                boolean says = constraint.description() != null
                        && !constraint.description().isEmpty();
                return says
                        ? constraint.description()
                        : secret ? "it violates the constraint " + constraint.name() : complaint;
            }
        }
        return null;
    }

    private FaultException invalid(FaultCode code, String message) {
        return new FaultException(
                Fault.raised(code, "InvalidSchemaError", "Parameter '" + name + "' is invalid: " + message));
    }

    private static ListValue splitPlainly(String text) {
        return ListValue.of(List.of(text.split(",", -1)).stream().map(Text::new).toList());
    }
}
