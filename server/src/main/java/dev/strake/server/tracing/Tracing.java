package dev.strake.server.tracing;

import dev.strake.server.settings.InvalidSettingException;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private static final Pattern PROPERTY = Pattern.compile("otel(\\.[a-z0-9_-]+)+");

    private final OpenTelemetrySdk sdk;

    private Tracing(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * As the environment says.
     *
     * @throws InvalidSettingException if it says something that cannot be; values are not repeated, as some are secrets
     */
    public static Tracing of(Map<String, String> environment) {
        boolean asked = ASKING.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isBlank());
        boolean off = environment.getOrDefault("OTEL_TRACES_EXPORTER", "").equals("none")
                || environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true");
        return asked && !off ? new Tracing(sdk(environment)) : OFF;
    }

    private static OpenTelemetrySdk sdk(Map<String, String> environment) {
        try {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook() // closed with the server, after the last change
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(config -> given(environment))
                    .build()
                    .getOpenTelemetrySdk();
        } catch (ConfigurationException e) {
            // Without the cause: its message has the value, and headers for a collector are often its key.
            Matcher property = PROPERTY.matcher(String.valueOf(e.getMessage()));
            throw new InvalidSettingException(
                    "OpenTelemetry cannot be set up as the environment says%s. Correct the variables OTEL_*, or unset them."
                            .formatted(property.find() ? ": see " + property.group() : ""));
        }
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

    /** The spans of changes. */
    public Spans spans() {
        return sdk == null ? Spans.NONE : new Spans(sdk);
    }

    /** Sends what is left to send. */
    @Override
    public void close() {
        if (sdk != null) {
            sdk.close();
        }
    }
}
