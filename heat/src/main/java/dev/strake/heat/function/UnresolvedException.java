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

    /** The message in the place of one that would quote a hidden value. */
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

    /** A boolean parameter without default and value, which Heat does not tolerate anywhere. */
    public static UnresolvedException unsetBoolean(String parameter) {
        return new UnresolvedException("The Parameter (" + parameter + ") was not provided.", parameter, false);
    }

    /** The same without its message, which may quote a hidden value. */
    UnresolvedException masked() {
        return unsetParameter != null ? this : new UnresolvedException(HIDDEN, null, tolerable);
    }

    /** The fault where Heat does not wait for values: that the parameter is not set, or else one with this code and path. */
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
