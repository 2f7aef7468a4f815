package dev.strake.service.tracing;

import dev.strake.service.pipeline.PipelineObserver;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Traces by OpenTelemetry, if its standard variables ask for them. If they do not, none of its classes is even loaded.
 *
 * <pre>
 *  OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318      or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_TRACES_EXPORTER
 *  OTEL_SERVICE_NAME=strake · OTEL_TRACES_SAMPLER=parentbased_traceidratio · OTEL_SDK_DISABLED=true · …
 * </pre>
 */
public final class Tracing implements AutoCloseable {

    private static final Tracing OFF = new Tracing(null);

    /* Whoever sets one of these wants spans to go somewhere. */
    private static final List<String> ASKING =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER");

    /*
     * Metrics and logs have places of their own here. The protocol is the one that needs nothing but the JDK's client.
     */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "strake",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none",
            "otel.exporter.otlp.protocol", "http/protobuf");

    private final OpenTelemetrySdk sdk;

    private Tracing(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * As the environment says.
     *
     * @throws io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException if it says something that cannot be
     */
    public static Tracing of(Map<String, String> environment) {
        boolean asked = ASKING.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
        boolean off = environment.getOrDefault("OTEL_TRACES_EXPORTER", "").equals("none")
                || environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true");
        return asked && !off ? new Tracing(sdk(environment)) : OFF;
    }

    private static OpenTelemetrySdk sdk(Map<String, String> environment) {
        return AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook() // closed with the server, after the last change
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesCustomizer(config -> given(environment))
                .build()
                .getOpenTelemetrySdk();
    }

    /* The SDK reads the process's environment itself; this is for an environment that is told to it. */
    private static Map<String, String> given(Map<String, String> environment) {
        Map<String, String> given = new HashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_")) {
                given.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return given;
    }

    /** An observer that makes spans and passes on all that it hears. */
    public PipelineObserver before(PipelineObserver next) {
        return sdk == null ? next : new TracingObserver(sdk, next);
    }

    /** Sends what is left to send. */
    @Override
    public void close() {
        if (sdk != null) {
            sdk.close();
        }
    }
}
