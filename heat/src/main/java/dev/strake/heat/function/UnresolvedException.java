package dev.strake.heat.function;

import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.List;

/**
 * A call has no value: a parameter is not set, a file is not there, an argument is of the wrong kind. Often that is no
 * fault, because values may come later.
 */
public final class UnresolvedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String unsetParameter;
    private final boolean tolerable;

    /** What is said of a value that nobody is to see. */
    public static final String HIDDEN = "the value comes from a hidden parameter, and does not fit here";

    public UnresolvedException(String message) {
        this(message, null, false);
    }

    private UnresolvedException(String message, String unsetParameter, boolean tolerable) {
        super(message, null, false, false);
        this.unsetParameter = unsetParameter;
        this.tolerable = tolerable;
    }

    /** A parameter without default and value. */
    public static UnresolvedException unset(String parameter) {
        return new UnresolvedException("The Parameter (" + parameter + ") was not provided.", parameter, true);
    }

    /** A boolean parameter without default and value, over which Heat stumbles everywhere. */
    public static UnresolvedException unsetBoolean(String parameter) {
        return new UnresolvedException("The Parameter (" + parameter + ") was not provided.", parameter, false);
    }

    /** The same without its words, which may quote a value that nobody is to see. */
    UnresolvedException masked() {
        return unsetParameter != null ? this : new UnresolvedException(HIDDEN, null, tolerable);
    }

    /** The fault that it is where Heat does not wait for values: at a path, unless a parameter has no value. */
    public Fault toFault(FaultCode code, List<String> path) {
        return unsetParameter == null
                ? Fault.at(code, path, getMessage())
                : Fault.raised(FaultCode.MISSING_PARAMETER, "UserParameterMissing", getMessage());
    }

    /** Whether the definition of a group's members may do without the value. */
    public boolean isTolerable() {
        return tolerable;
    }

    /** The parameter that would have to be set; null if something else is the matter. */
    public String unsetParameter() {
        return unsetParameter;
    }
}
