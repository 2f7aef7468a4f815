package dev.strake.heat.function;

import dev.strake.engine.tree.Value;

/** A function of HOT. */
public interface Function {

    /**
     * Returns what is wrong with the shape of the arguments, as far as the template shows it; null if nothing is.
     *
     * @param argument the argument; calls inside it have been read
     */
    default String complaint(String name, Expression argument) {
        return null;
    }

    /** Returns what is wrong with the content of the arguments, which Heat checks later; null if nothing is. */
    default String lateComplaint(String name, Expression argument) {
        return null;
    }

    /**
     * Returns the value of a call.
     *
     * @param arguments the evaluated arguments
     * @throws UnresolvedException if the call has no value
     */
    Value apply(String name, Value arguments, Scope scope);

    /** Finds what is wrong with the shape of the arguments; null if nothing is. */
    interface Shape {

        String complaint(String name, Expression argument);
    }

    /** Returns a function whose arguments have to have a shape. */
    static Function of(Shape shape, Function values) {
        return new Function() {

            @Override
            public String complaint(String name, Expression argument) {
                return shape.complaint(name, argument);
            }

            @Override
            public Value apply(String name, Value arguments, Scope scope) {
                return values.apply(name, arguments, scope);
            }
        };
    }
}
