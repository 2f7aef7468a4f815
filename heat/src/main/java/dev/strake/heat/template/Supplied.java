package dev.strake.heat.template;

import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.ParameterValues;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.HashMap;
import java.util.Map;

/**
 * A value that was supplied for a parameter.
 *
 * @param secret whether the value comes from a hidden parameter
 * @param origin the place of the value; null if it was given with the request
 */
public record Supplied(Value value, boolean secret, Origin origin) {

    /** Returns the value as messages may show it. */
    String shown() {
        return secret ? Redaction.MASK.value() : PythonText.str(value);
    }

    /** Returns the values that a resource supplies to its template, by parameter. */
    static Map<String, Supplied> by(Stack stack, Resource resource, Map<String, ParameterSchema> schemas) {
        Map<String, Supplied> supplied = new HashMap<>();
        resource.properties().forEach((name, expression) -> {
            ParameterSchema schema = schemas.get(name);
            if (schema == null) {
                return;
            }
            Origin origin = resource.origin(name);
            boolean secret = resource.secrets().contains(name);
            Value value;
            try {
                Supplied evaluated = stack.evaluate(expression, false);
                if (evaluated.value() == null) {
                    return;
                }
                secret |= evaluated.secret();
                value = ParameterValues.supplied(schema.type(), evaluated.value());
            } catch (UnresolvedException | IllegalArgumentException e) {
                value = ParameterValues.zero(schema.type()); // Heat continues with this value after any such error
            } catch (FaultException e) {
                throw new FaultException(e.fault().in(origin));
            }
            supplied.put(
                    name,
                    new Supplied(value instanceof Null ? ParameterValues.zero(schema.type()) : value, secret, origin));
        });
        return supplied;
    }
}
