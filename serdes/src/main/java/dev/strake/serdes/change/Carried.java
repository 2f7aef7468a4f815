package dev.strake.serdes.change;

/**
 * Headers of a change that are copied to its outcome and its rendered records. Null if the change does not have the
 * header.
 *
 * @param source the header {@code ce_source}
 * @param time the time given by the author, the header {@code ce_time}; any text
 */
public record Carried(String source, String time, String traceparent) {

    public static final Carried NOTHING = new Carried(null, null, null);
}
