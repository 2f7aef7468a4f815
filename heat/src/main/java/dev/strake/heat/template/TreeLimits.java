package dev.strake.heat.template;

/**
 * The limits of a tree.
 *
 * @param nesting the maximum depth of nested stacks
 * @param resources the maximum number of resources in a template; -1 for no limit
 * @param stacks the maximum number of stacks in a tree
 * @param parameters the maximum number of parameters of all stacks
 * @param effort the maximum work of one request, in units: values that are read, written or matched
 */
public record TreeLimits(int nesting, int resources, int stacks, int parameters, long effort) {

    /** Heat's limits; the number of stacks is far above that of any real tree. */
    public static final TreeLimits DEFAULT = new TreeLimits(5, 1000, 20_000, 500_000, 20_000_000);

    /** Returns these limits with another depth of nesting. */
    public TreeLimits nesting(int other) {
        return new TreeLimits(other, resources, stacks, parameters, effort);
    }

    public TreeLimits resources(int other) {
        return new TreeLimits(nesting, other, stacks, parameters, effort);
    }
}
