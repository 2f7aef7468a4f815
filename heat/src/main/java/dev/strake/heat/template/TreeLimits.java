package dev.strake.heat.template;

/**
 * How far a tree may go.
 *
 * @param nesting how many stacks may be nested in one another below the top
 * @param resources how many resources a template may have; -1 for any number
 * @param stacks how many stacks a tree may have in all
 * @param parameters how many parameters all stacks together may have
 * @param effort units of work for one request: values that are read, written or matched
 */
public record TreeLimits(int nesting, int resources, int stacks, int parameters, long effort) {

    /** Those of Heat, and far more stacks than any real tree has. */
    public static final TreeLimits DEFAULT = new TreeLimits(5, 1000, 20_000, 500_000, 20_000_000);

    /** The same, with another depth of nesting. */
    public TreeLimits nesting(int other) {
        return new TreeLimits(other, resources, stacks, parameters, effort);
    }

    public TreeLimits resources(int other) {
        return new TreeLimits(nesting, other, stacks, parameters, effort);
    }
}
