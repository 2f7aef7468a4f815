package dev.strake.heat.source;

/**
 * A template has a fault. Unchecked, because nearly all code that reads templates can throw it. The walk of a tree
 * collects these exceptions.
 */
public final class FaultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    public FaultException(Fault fault) {
        super(fault.text(), null, false, false);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
