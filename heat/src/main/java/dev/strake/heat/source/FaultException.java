package dev.strake.heat.source;

/**
 * A template has a fault. Unchecked, because nearly all code that reads templates can throw it. The walk of a tree
 * collects these exceptions.
 */
public final class FaultException extends RuntimeException {

    private final Fault fault;

    public FaultException(Fault fault) {
        super(fault.text(), null, false, false);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
