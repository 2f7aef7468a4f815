package dev.strake.server.metrics;

import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.regex.Pattern;

/**
 * The trace of the change whose latency is recorded right now, for the registry to take exemplars from. A change that is
 * not traced, or not sampled, leaves none.
 *
 * <pre>traceparent: 00-TRACE (32 hex digits)-SPAN (16 hex digits)-FLAGS (the last bit: sampled)</pre>
 */
final class CurrentTrace implements SpanContext {

    private static final Pattern FORM = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int SPAN = 36;
    private static final int FLAGS = 53;

    private final ThreadLocal<String> current = new ThreadLocal<>();

    void enter(String traceparent) {
        if (traceparent != null && FORM.matcher(traceparent).matches()) {
            current.set(traceparent);
        }
    }

    void leave() {
        if (current.get() != null) {
            current.remove();
        }
    }

    @Override
    public String getCurrentTraceId() {
        String traceparent = current.get();
        return traceparent == null ? null : traceparent.substring(3, SPAN - 1);
    }

    @Override
    public String getCurrentSpanId() {
        String traceparent = current.get();
        return traceparent == null ? null : traceparent.substring(SPAN, FLAGS - 1);
    }

    @Override
    public boolean isCurrentSpanSampled() {
        String traceparent = current.get();
        return traceparent != null && (Character.digit(traceparent.charAt(FLAGS + 1), 16) & 1) != 0;
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // Whoever made the span decides which spans are kept, and has decided.
    }
}
