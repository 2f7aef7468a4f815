package dev.strake.serdes.change;

/**
 * Headers of a change that are passed on to its outcome and rendered records. Null if the change does not have the
 * header.
 *
 * @param source the header {@code ce_source}
 * @param time the author's own time, the header {@code ce_time}; any text
 */
public record Carried(String source, String time, String traceparent) {

    public static final Carried NOTHING = new Carried(null, null, null);
}
