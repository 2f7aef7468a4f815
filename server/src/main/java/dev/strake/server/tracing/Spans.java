package dev.strake.server.tracing;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.topology.observe.ProcessedChange;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes a span of every change, as a part of the trace that it came with, and one below it for each stage. What comes of
 * the change carries this span on. It ends with the commit, and never says what a document holds.
 */
public final class Spans {

    public static final Spans NONE = new Spans(OpenTelemetry.noop());

    private final Tracer tracer;
    private final boolean isWanted;
    private final ThreadLocal<OpenSpans> open = ThreadLocal.withInitial(OpenSpans::new);

    /** The spans of one stream thread: of the change it is at, and of those that wait for their commit. */
    private static final class OpenSpans {
        private Span current;
        private final List<Waiting> waiting = new ArrayList<>();
    }

    /** A span whose change has its outcome, from when on by both clocks. */
    private record Waiting(Span span, int partition, long epochNanos, long nanos) {}

    Spans(OpenTelemetry telemetry) {
        this.tracer = telemetry.getTracer("dev.strake");
        this.isWanted = telemetry != OpenTelemetry.noop();
    }

    /** Work on a change begins. Returns the trace that all that comes of it carries on; null for none. */
    public String begun(ChangeEnvelope change) {
        if (!isWanted) {
            return change.carried().traceparent();
        }
        Context parent = change.carried().traceparent() == null
                ? Context.root()
                : W3CTraceContextPropagator.getInstance().extract(Context.root(), change, Traceparent.OF_CHANGE);
        Span span = tracer.spanBuilder("apply change")
                .setSpanKind(SpanKind.CONSUMER)
                .setParent(parent)
                .startSpan();
        open.get().current = span;
        SpanContext context = span.getSpanContext();
        return "00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                + context.getTraceFlags().asHex();
    }

    /** The change has its outcome. */
    public void done(ProcessedChange change) {
        OpenSpans spans = open.get();
        if (spans.current == null) {
            return; // an answer for parts that never came belongs to no record
        }
        Span span = spans.current;
        spans.current = null;
        Outcome outcome = change.outcome();
        span.setAttribute("strake.workspace", outcome.workspace())
                .setAttribute("strake.change.id", outcome.change().id())
                .setAttribute("strake.status", outcome.status().text())
                .setAttribute("strake.affected", outcome.work().affected())
                .setAttribute("strake.evaluated", outcome.work().evaluated())
                .setAttribute("strake.emitted", outcome.work().emitted());
        long at = MILLISECONDS.toNanos(change.times().begun());
        at = stage(span, "decode", at, change.times().decodeNanos());
        // Writing comes between rendering and publishing; here each stage is one stretch of what it took in all.
        at = stage(span, "commit-revision", at, change.times().revisionNanos());
        at = stage(span, "render", at, change.times().renderNanos());
        spans.waiting.add(
                new Waiting(span, change.partition(), at, change.times().done()));
    }

    private long stage(Span parent, String name, long from, long nanos) {
        if (nanos > 0 && parent.isRecording()) {
            tracer.spanBuilder(name)
                    .setParent(Context.root().with(parent))
                    .setStartTimestamp(from, NANOSECONDS)
                    .startSpan()
                    .end(from + nanos, NANOSECONDS);
        }
        return from + nanos;
    }

    /** What this thread did counts. */
    public void committed() {
        long now = System.nanoTime();
        List<Waiting> waiting = open.get().waiting;
        for (Waiting each : waiting) {
            long end = stage(each.span(), "commit", each.epochNanos(), now - each.nanos());
            each.span().end(end, NANOSECONDS);
        }
        waiting.clear();
    }

    /** What this thread did since its last commit never was. */
    public void aborted() {
        OpenSpans spans = open.get();
        if (spans.current != null) {
            abort(spans.current);
            spans.current = null;
        }
        spans.waiting.forEach(each -> abort(each.span()));
        spans.waiting.clear();
    }

    /** What is not committed of a partition is another's to do again. */
    public void closed(int partition) {
        open.get().waiting.removeIf(each -> {
            if (each.partition() == partition) {
                abort(each.span());
            }
            return each.partition() == partition;
        });
    }

    private static void abort(Span span) {
        span.setStatus(StatusCode.ERROR, "aborted: the change is processed again")
                .end();
    }

    /** Finds the one header of a trace that a change keeps. */
    private enum Traceparent implements TextMapGetter<ChangeEnvelope> {
        OF_CHANGE;

        @Override
        public Iterable<String> keys(ChangeEnvelope change) {
            return Map.of(HeaderNames.TRACEPARENT, change.carried().traceparent())
                    .keySet();
        }

        @Override
        public String get(ChangeEnvelope change, String key) {
            return change != null && key.equals(HeaderNames.TRACEPARENT)
                    ? change.carried().traceparent()
                    : null;
        }
    }
}
