package dev.strake.serdes.change;

/**
 * What the author of a change said for others: it is carried through to outcomes and rendered records. Null where nothing
 * was said.
 *
 * @param source the header {@code ce_source}
 * @param time the author's own time, the header {@code ce_time}; any text
 */
public record Carried(String source, String time, String traceparent) {

    public static final Carried NOTHING = new Carried(null, null, null);
}
