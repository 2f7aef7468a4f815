package dev.strake.server.metrics;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Text;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.ProcessedChange.Costly;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latest changes whose processing took longer than a threshold. Each is logged. Shows names, counts and times,
 * never values. Called by several stream threads.
 */
public final class SlowChanges {

    private static final Logger LOG = LoggerFactory.getLogger(SlowChanges.class);
    private static final int KEPT = 100;
    private static final int MOST_IN_LOG = 3;

    /** The stages without work. */
    private static final Set<String> WAITING = Set.of("queue", "commit");

    private final Duration threshold;
    private final Deque<Slow> newest = new ArrayDeque<>();

    private record Slow(ProcessedChange change, Map<String, Long> stages) {}

    public SlowChanges(Duration threshold) {
        this.threshold = threshold;
    }

    public Duration threshold() {
        return threshold;
    }

    /**
     * Checks a committed change.
     *
     * @param stages the times of its stages in nanoseconds, in order
     * @return whether it was slow
     */
    boolean committed(ProcessedChange change, Map<String, Long> stages) {
        if (change.times().workNanos() <= threshold.toNanos()) {
            return false;
        }
        synchronized (newest) {
            newest.addFirst(new Slow(change, stages));
            if (newest.size() > KEPT) {
                newest.removeLast();
            }
        }
        LOG.warn(
                "The change at {} of {} ({}, revision {}) took {} s of work ({}){}. It reached {} documents and evaluated {}. Most work: {}",
                change.outcome().change().input(),
                change.outcome().workspace(),
                change.outcome().status().text(),
                change.outcome().revision(),
                text(change.times().workNanos()),
                stages.entrySet().stream()
                        .filter(stage -> !WAITING.contains(stage.getKey()))
                        .map(stage -> stage.getKey() + " " + text(stage.getValue()) + " s")
                        .collect(Collectors.joining(", ")),
                stages.keySet().containsAll(WAITING)
                        ? ", after %s s in the queue, committed in %s s"
                                .formatted(text(stages.get("queue")), text(stages.get("commit")))
                        : "",
                change.outcome().work().affected(),
                change.outcome().work().evaluated(),
                change.costliest().isEmpty()
                        ? "none, as nothing was rendered"
                        : change.costliest().stream()
                                .limit(MOST_IN_LOG)
                                .map(SlowChanges::text)
                                .collect(Collectors.joining(", ")));
        return true;
    }

    private static String text(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
    }

    /* Encodes the name as a JSON string, so that it cannot end the line. */
    private static String text(Costly each) {
        DocumentId id = each.document();
        String name = Stream.of(id.schema(), id.layer(), id.name())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("/"));
        return JsonBytes.text(new Text(name)) + " (" + each.steps() + " steps)";
    }

    /** Returns the slow changes of some workspaces, newest first, as JSON members. */
    public List<Map<String, Object>> of(Predicate<String> workspace) {
        List<Slow> all;
        synchronized (newest) {
            all = new ArrayList<>(newest);
        }
        return all.stream()
                .filter(slow -> workspace.test(slow.change().outcome().workspace()))
                .map(slow -> json(slow.change(), slow.stages()))
                .toList();
    }

    private static Map<String, Object> json(ProcessedChange change, Map<String, Long> stages) {
        Map<String, Object> seconds = new LinkedHashMap<>();
        stages.forEach((stage, nanos) -> seconds.put(stage, nanos / 1e9));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("workspace", change.outcome().workspace());
        json.put("change", change.outcome().change().id());
        json.put("input", change.outcome().change().input());
        json.put("status", change.outcome().status().text());
        json.put("revision", change.outcome().revision());
        json.put("time", change.outcome().time().toString());
        json.put("seconds", change.times().workNanos() / 1e9);
        json.put("stages", seconds);
        json.put("affected", change.outcome().work().affected());
        json.put("evaluated", change.outcome().work().evaluated());
        json.put("documents", change.costliest().stream().map(SlowChanges::json).toList());
        return json;
    }

    private static Map<String, Object> json(Costly each) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", each.document().schema());
        json.put("layer", each.document().layer());
        json.put("name", each.document().name());
        json.put("steps", each.steps());
        return json;
    }
}
