package dev.strake.heat.template;

/**
 * How far a tree may go.
 *
 * @param nesting how many stacks may be nested in one another below the top
 * @param resources how many resources a template may have; -1 for any number
 * @param nodes how many stacks a tree may have in all
 * @param parameters how many parameters all stacks together may have
 * @param effort units of work for one request: values that are read, written or matched
 */
public record Limits(int nesting, int resources, int nodes, int parameters, long effort) {

    /** Those of Heat, and as many stacks as nobody has who is in his right mind. */
    public static final Limits DEFAULT = new Limits(5, 1000, 20_000, 500_000, 20_000_000);

    /** The same, with another depth of nesting. */
    public Limits nesting(int other) {
        return new Limits(other, resources, nodes, parameters, effort);
    }

    public Limits resources(int other) {
        return new Limits(nesting, other, nodes, parameters, effort);
    }
}
