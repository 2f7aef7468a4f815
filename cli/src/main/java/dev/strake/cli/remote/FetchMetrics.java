package dev.strake.cli.remote;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.fetch.FetchListener;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.server.metrics.Meters;
import dev.strake.server.metrics.Meters.Sample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The metrics of a fetcher. A metric with resources in its labels shows a limited number of them. */
public final class FetchMetrics implements FetchListener {

    static final int MOST_RESOURCES = 20;

    /** A resource whose next attempt is overdue for so long has moved to another fetcher. */
    static final Duration OVERDUE = Duration.ofMinutes(10);

    private static final String OK = "ok";
    private static final String HELD = "held";
    private static final String FAILED = "failed";

    private final FetchListener next;
    private final Meters meters;
    private final Clock clock;
    private final Map<Key, Standing> resources = new ConcurrentHashMap<>();

    private record Key(String workspace, String resource) {}

    /**
     * The state of a resource.
     *
     * @param since when the trouble began; only used if the resource is in trouble
     * @param next the time of the next attempt
     */
    private record Standing(String state, Instant since, Instant next) {}

    /** @param next receives all events, too */
    public FetchMetrics(FetchListener next, PrometheusMeterRegistry registry, Clock clock) {
        this.next = next;
        this.meters = new Meters(registry);
        this.clock = clock;
        // Creates counters early: Prometheus sees no increase if a counter first appears with its first event.
        attempts(OK, "");
        attempts(OK, "OptionalRequestFailed");
        attempts(HELD, "Held");
        List.of(FetchException.Code.values()).forEach(code -> attempts(FAILED, code.text()));
        List.of("KafkaUnavailable", "InternalError").forEach(code -> attempts(FAILED, code));
        meters.gauges(List.of(RemoteMetrics.FETCH_RESOURCES, RemoteMetrics.FETCH_TROUBLE), this::readings);
    }

    private Counter attempts(String state, String code) {
        return meters.counter(RemoteMetrics.FETCH_ATTEMPTS, state, code.isEmpty() ? "none" : code);
    }

    @Override
    public void attempted(String workspace, MapValue status) {
        MapValue data = status.map("data");
        String state = data.text("state");
        String code = data.map("problem").text("code");
        attempts(state, code).increment();
        resources.compute(
                new Key(workspace, status.map("metadata").text("name")),
                (key, before) ->
                        new Standing(state, since(before, state, data), Instant.parse(data.text("nextAttempt"))));
        next.attempted(workspace, status);
    }

    /* A held resource was fetched, so the last success does not tell when the trouble began. */
    private Instant since(Standing before, String state, MapValue data) {
        if (before != null && !before.state.equals(OK) && !state.equals(OK)) {
            return before.since;
        }
        String success = data.text("lastSuccess");
        return state.equals(FAILED) && !success.isEmpty() ? Instant.parse(success) : clock.instant();
    }

    @Override
    public void released(String workspace, String name) {
        resources.remove(new Key(workspace, name));
        next.released(workspace, name);
    }

    @Override
    public void failed(Exception reason, Duration pause) {
        // By the time this fetcher is back, others may have taken over the resources.
        resources.clear();
        next.failed(reason, pause);
    }

    private List<Sample> readings() {
        List<Sample> readings = new ArrayList<>();
        Instant instant = clock.instant();
        resources.values().removeIf(each -> each.next.plus(OVERDUE).isBefore(instant));
        Map<Key, Standing> now = Map.copyOf(resources);
        for (String state : List.of(OK, HELD, FAILED)) {
            long count = now.values().stream()
                    .filter(each -> each.state.equals(state))
                    .count();
            readings.add(new Sample(RemoteMetrics.FETCH_RESOURCES, count, state));
        }
        now.entrySet().stream()
                .filter(each -> !each.getValue().state.equals(OK))
                .sorted(Comparator.comparing(each -> each.getValue().since))
                .limit(MOST_RESOURCES)
                .forEach(each -> readings.add(new Sample(
                        RemoteMetrics.FETCH_TROUBLE,
                        Duration.between(each.getValue().since, instant).toMillis() / 1e3,
                        each.getKey().workspace,
                        each.getKey().resource,
                        each.getValue().state)));
        return readings;
    }
}
