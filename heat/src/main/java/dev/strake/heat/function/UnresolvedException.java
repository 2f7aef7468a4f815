package dev.strake.heat.function;

import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.List;

/**
 * A call has no value, for example because a parameter is not set, a file is missing, or an argument has the wrong
 * type. Often this is no fault, because values may be supplied later.
 */
public final class UnresolvedException extends RuntimeException {

    private final String unsetParameter;
    private final boolean tolerable;

    /** Replaces a message that would quote a hidden value. */
    public static final String HIDDEN = "a value from a hidden parameter is not valid here";

    public UnresolvedException(String message) {
        this(message, null, false);
    }

    private UnresolvedException(String message, String unsetParameter, boolean tolerable) {
        super(message, null, false, false);
        this.unsetParameter = unsetParameter;
        this.tolerable = tolerable;
    }

    /** The parameter has neither default nor value. */
    public static UnresolvedException unset(String parameter) {
        return new UnresolvedException("The Parameter (" + parameter + ") was not provided.", parameter, true);
    }

    /** The boolean parameter has neither default nor value, which Heat never tolerates. */
    public static UnresolvedException unsetBoolean(String parameter) {
        return new UnresolvedException("The Parameter (" + parameter + ") was not provided.", parameter, false);
    }

    /** Returns this exception without its message, which may quote a hidden value. */
    UnresolvedException masked() {
        return unsetParameter != null ? this : new UnresolvedException(HIDDEN, null, tolerable);
    }

    /** Converts to a fault: the parameter is missing, or else a fault with this code and path. */
    public Fault toFault(FaultCode code, List<String> path) {
        return unsetParameter == null
                ? Fault.at(code, path, getMessage())
                : Fault.raised(FaultCode.MISSING_PARAMETER, "UserParameterMissing", getMessage());
    }

    /** Whether the definition of group members may do without the value. */
    public boolean isTolerable() {
        return tolerable;
    }

    /** Returns the parameter that is not set; null if the cause is another one. */
    public String unsetParameter() {
        return unsetParameter;
    }
}
