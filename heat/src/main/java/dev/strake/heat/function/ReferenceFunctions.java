package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import java.util.List;
import java.util.Set;

/** Functions that refer to parameters, resources and files. */
final class ReferenceFunctions {

    private static final Set<String> OF_FACADE = Set.of("metadata", "deletion_policy", "update_policy");

    private ReferenceFunctions() {}

    static final Function GET_PARAM = (name, arguments, scope) -> {
        if (arguments instanceof Text text) {
            return scope.parameter(text.value());
        }
        if (!(arguments instanceof ListValue list)) {
            throw new UnresolvedException("Argument to \"" + name + "\" must be string or list");
        }
        if (!(Arguments.item(list, 0) instanceof Text parameter)) {
            throw new UnresolvedException("Parameter name in \"" + name + "\" must be string");
        }
        Value value = scope.parameter(parameter.value());
        for (int i = 1; i < list.size(); i++) {
            value = below(value, list.get(i));
            if (value == null) {
                return new Text("");
            }
        }
        return value;
    };

    /* Returns the value at one step of a path; null if there is none. */
    private static Value below(Value value, Value step) {
        if (value instanceof MapValue map) {
            return step instanceof Text key
                    ? map.get(key.value())
                    : step instanceof Num num ? map.get(num.literal()) : null;
        }
        int size = value instanceof ListValue list
                ? list.size()
                : value instanceof Text text ? text.value().length() : -1;
        Integer index = index(step);
        if (index == null || index >= size || index < -size) {
            return null;
        }
        int at = index < 0 ? index + size : index;
        return value instanceof ListValue list
                ? list.get(at)
                : new Text(((Text) value).value().substring(at, at + 1));
    }

    private static Integer index(Value step) {
        if (step instanceof Num num && num.isInteger()) {
            return num.nearestInt();
        }
        if (step instanceof Text text) {
            try {
                Num num = Python.number(text.value());
                return num.isInteger() ? num.nearestInt() : null;
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        return null;
    }

    static final Function GET_RESOURCE = new Function() {

        @Override
        public String lateComplaint(String name, Expression argument) {
            return Arguments.items(argument) == null && Arguments.keys(argument) == null
                    ? null
                    : "Argument to \"" + name + "\" must be a string";
        }

        @Override
        public Value apply(String name, Value arguments, Scope scope) {
            if (arguments instanceof Text text && scope.hasResource(text.value())) {
                return text; // the name represents a resource that does not exist yet
            }
            throw new UnresolvedException("The specified reference is incorrect.");
        }
    };

    static final Function GET_ATTR = attribute(2, "[resource_name, attribute, (path), ...]");

    static final Function GET_ATTR_OR_ALL = attribute(1, "[resource_name] or [resource_name, attribute, (path), ...]");

    private static Function attribute(int least, String form) {
        return Function.of(
                (name, argument) -> complaintOfAttribute(name, argument, least, form), (name, arguments, scope) -> {
                    if (!(arguments instanceof ListValue list)
                            || list.size() == 0
                            || !(list.get(0) instanceof Text resource)
                            || !scope.hasResource(resource.value())) {
                        throw new UnresolvedException("The specified reference is incorrect.");
                    }
                    return Null.NULL; // no resource has been created yet
                });
    }

    private static String complaintOfAttribute(String name, Expression argument, int least, String form) {
        List<Expression> items = Arguments.items(argument);
        if (items == null) {
            return Arguments.isOpen(argument) ? null : "Argument to \"" + name + "\" must be a list";
        }
        if (items.size() < least) {
            return least == 1
                    ? "Arguments to \"" + name + "\" can be of the next forms: " + form
                    : "Arguments to \"" + name + "\" must be of the form " + form;
        }
        return null;
    }

    static final Function GET_FILE = (name, arguments, scope) -> {
        if (!(arguments instanceof Text file)) {
            throw new UnresolvedException("Argument to \"" + name + "\" must be a string");
        }
        return new Text(scope.file(file.value()));
    };

    static final Function RESOURCE_FACADE = Function.of(
            (name, argument) -> {
                String what = Arguments.text(argument);
                return Arguments.isOpen(argument) || (what != null && OF_FACADE.contains(what))
                        ? null
                        : "Incorrect arguments to \"" + name
                                + "\" should be one of: metadata, deletion_policy, update_policy";
            },
            (name, arguments, scope) ->
                    arguments.equals(new Text("deletion_policy")) ? new Text("Delete") : MapValue.EMPTY);

    /** A function that later versions removed; validation reports calls of it. */
    static final Function REMOVED = new Function() {

        @Override
        public String lateComplaint(String name, Expression argument) {
            return "The template version is invalid: The function " + name
                    + " is not supported in this version of HOT.";
        }

        @Override
        public Value apply(String name, Value arguments, Scope scope) {
            throw new UnresolvedException("The function " + name + " is not supported in this version of HOT.");
        }
    };

    /** CloudFormation's {@code Ref} in the first version of HOT: a parameter or a resource. */
    static final Function REF = (name, arguments, scope) -> {
        if (arguments instanceof Text text) {
            return scope.hasResource(text.value()) ? text : scope.parameter(text.value());
        }
        throw new UnresolvedException("Argument to \"" + name + "\" must be a string");
    };

    /** CloudFormation's other functions, which are not supported. */
    static final Function OF_CLOUD_FORMATION = (name, arguments, scope) -> {
        throw new UnresolvedException("the function " + name + " of CloudFormation is not supported");
    };
}
