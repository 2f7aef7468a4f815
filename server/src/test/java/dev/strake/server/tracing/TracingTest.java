package dev.strake.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.Limits;
import dev.strake.server.settings.InvalidSettingException;
import dev.strake.topology.observe.ProcessedChange;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** The spans that a pipeline under observation leaves. */
class TracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();
    private final Spans observer = new Spans(sdk);

    @Test
    void shouldContinueTheTraceOfAChange() {
        String traceparent = observer.begun(change("00-" + TRACE + "-" + PARENT + "-01"));
        observer.done(processed());
        assertThat(names()).doesNotContain("apply change");
        observer.committed();

        SpanData span = span("apply change");
        assertThat(traceparent).isEqualTo("00-" + TRACE + "-" + span.getSpanId() + "-01");
        assertThat(span.getParentSpanId()).isEqualTo(PARENT);
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getAttributes().asMap().toString())
                .contains("strake.workspace=site", "strake.change.id=id", "strake.status=rendered")
                .contains("strake.affected=7", "strake.evaluated=3", "strake.emitted=2");
        assertThat(names()).containsExactly("decode", "commit-revision", "render", "commit", "apply change");
        assertThat(exported.getFinishedSpanItems().subList(0, 4))
                .allSatisfy(stage -> assertThat(stage.getParentSpanId()).isEqualTo(span.getSpanId()));
        SpanData commit = span("commit");
        assertThat(commit.getStartEpochNanos()).isEqualTo(span("render").getEndEpochNanos());
        assertThat(commit.getEndEpochNanos()).isEqualTo(span.getEndEpochNanos());
    }

    @Test
    void shouldBeginATraceForAChangeThatIsNotTraced() {
        String traceparent = observer.begun(change(null));
        observer.done(processed());
        observer.committed();
        assertThat(traceparent).startsWith("00-" + span("apply change").getTraceId());
        assertThat(span("apply change").getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void shouldSayOfAnAbortedChangeThatItIsProcessedAgain() {
        observer.begun(change(null));
        observer.done(processed());
        observer.begun(change(null));
        observer.aborted();
        observer.committed();
        assertThat(exported.getFinishedSpanItems())
                .filteredOn(span -> span.getName().equals("apply change"))
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR));
    }

    @Test
    void shouldStandAsideWhenNobodyAsksForTraces() {
        assertThat(Tracing.of(Map.of()).spans()).isSameAs(Spans.NONE);
        assertThat(Tracing.of(Map.of("OTEL_TRACES_EXPORTER", "none")).spans()).isSameAs(Spans.NONE);
        assertThat(Tracing.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://x:1", "OTEL_SDK_DISABLED", "true"))
                        .spans())
                .isSameAs(Spans.NONE);
        assertThat(Spans.NONE.begun(change("00-" + TRACE + "-" + PARENT + "-01")))
                .isEqualTo("00-" + TRACE + "-" + PARENT + "-01");
    }

    @Test
    void shouldSendSpansToTheCollectorThatTheEnvironmentNames() throws Exception {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
            received.add(exchange.getRequestURI() + " " + body);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        String url = "http://127.0.0.1:" + collector.getAddress().getPort();
        try (Tracing tracing = Tracing.of(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", url))) {
            Spans sending = tracing.spans();
            sending.begun(change(null));
            sending.done(processed());
            sending.committed();
        } finally {
            collector.stop(0);
        }
        assertThat(received)
                .singleElement()
                .satisfies(request -> assertThat(request)
                        .startsWith("/v1/traces ")
                        .contains("apply change", "commit-revision", "service.name", "strake.workspace"));
    }

    @Test
    void shouldNameAVariableThatCannotBeAndKeepItsValueToItself() {
        Map<String, String> environment = Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_EXPORTER_OTLP_HEADERS", "secret-key");
        assertThatThrownBy(() -> Tracing.of(environment))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("otel.exporter.otlp.headers")
                .hasNoCause()
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret-key"));
    }

    private List<String> names() {
        return exported.getFinishedSpanItems().stream().map(SpanData::getName).toList();
    }

    private SpanData span(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ChangeEnvelope change(String traceparent) {
        return ChangeEnvelope.read("site", new RecordHeaders(), "changes", 0, 1, 2, Limits.DEFAULT)
                .envelope()
                .withTraceparent(traceparent);
    }

    private static ProcessedChange processed() {
        Outcome outcome = new Outcome(
                "site",
                new Outcome.Change("id", "type", null, "input", Carried.NOTHING, Note.NONE),
                OutcomeStatus.RENDERED,
                null,
                1L,
                Outcome.Documents.NONE,
                new Outcome.Work(7, 3, 2, 0),
                new Outcome.Published(1L, 0, null),
                List.of(),
                List.of(),
                Instant.now(),
                null);
        return new ProcessedChange(
                0,
                outcome,
                Optional.empty(),
                0,
                new ProcessedChange.Times(1, System.currentTimeMillis(), System.nanoTime(), 10, 20, 30));
    }
}
