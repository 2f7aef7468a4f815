package dev.strake.service.pipeline;

import dev.strake.engine.document.RenderLimits;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.TopologySettings.Retention;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The settings {@code strake.*}: how the work is done, beside how Kafka is reached. A name that is not known is a
 * mistake and never passed over: a limit that somebody believes to have set must hold.
 *
 * <pre>
 *  strake.on-problem              hold-revision | hold-document
 *  strake.limits.change-bytes     of a change in all its parts            strake.limits.parts       of one change
 *  strake.limits.document-bytes   of one document, as JSON                strake.limits.documents   of one workspace
 *  strake.limits.depth            containers within containers            strake.limits.aliases     of one YAML document
 *  strake.limits.nodes            of one document, aliases expanded       strake.limits.list-padding  beyond the end of a list
 *  strake.limits.rendered-bytes   of one rendered document                strake.limits.rendered-depth
 *  strake.incomplete-after        how long a change waits for its parts   (ISO 8601: PT10M, P7D)
 *  strake.forget-changes-after    how long ids of changes are remembered
 *  strake.idle-after              how long a workspace stays on the heap unused
 *  strake.cache-bytes             parsed documents kept on the heap, as JSON
 *  strake.history.revisions       how many are kept, beside the tagged ones; 0: all
 *  strake.history.age             how long a revision is kept after a newer one; PT0S: for ever
 * </pre>
 */
public final class WorkSettings {

    private final Map<String, String> given;

    private WorkSettings(Map<String, String> given) {
        this.given = new TreeMap<>(given);
    }

    /**
     * The settings of the topology, with what is not given left as the contract has it.
     *
     * @throws IllegalArgumentException if a name is unknown or a value is not of its kind; the message is fit for the
     *     operator
     */
    public static TopologySettings of(Map<String, String> given) {
        WorkSettings settings = new WorkSettings(given);
        TopologySettings result = settings.topology();
        if (!settings.given.isEmpty()) {
            throw new IllegalArgumentException("there are no settings called " + settings.given.keySet());
        }
        return result;
    }

    private TopologySettings topology() {
        TopologySettings defaults = TopologySettings.of(1);
        Limits limits = defaults.limits();
        return new TopologySettings(
                defaults.prefix(),
                defaults.partitions(),
                take("strake.on-problem", WorkSettings::holdsDocuments, defaults.holdDocuments()),
                new Limits(
                        take("strake.limits.change-bytes", Long::parseLong, limits.changeBytes()),
                        take("strake.limits.document-bytes", Long::parseLong, limits.documentBytes()),
                        take("strake.limits.depth", Integer::parseInt, limits.depth()),
                        take("strake.limits.aliases", Integer::parseInt, limits.aliases()),
                        take("strake.limits.nodes", Integer::parseInt, limits.nodes()),
                        take("strake.limits.documents", Integer::parseInt, limits.documents()),
                        take("strake.limits.parts", Integer::parseInt, limits.parts())),
                new RenderLimits(
                        take(
                                "strake.limits.rendered-bytes",
                                Long::parseLong,
                                defaults.renderLimits().bytes()),
                        take(
                                "strake.limits.rendered-depth",
                                Integer::parseInt,
                                defaults.renderLimits().depth()),
                        take(
                                "strake.limits.list-padding",
                                Integer::parseInt,
                                defaults.renderLimits().padding())),
                take("strake.incomplete-after", Duration::parse, defaults.incompleteAfter()),
                take("strake.forget-changes-after", Duration::parse, defaults.forgetChangesAfter()),
                take("strake.cache-bytes", Long::parseLong, defaults.cacheBytes()),
                take("strake.idle-after", Duration::parse, defaults.idleAfter()),
                retention(defaults.retention()));
    }

    private Retention retention(Retention defaults) {
        return new Retention(
                take("strake.history.revisions", WorkSettings::count, defaults.revisions()),
                take("strake.history.age", WorkSettings::time, defaults.age()));
    }

    private static long count(String value) {
        return new Retention(Long.parseLong(value), Duration.ZERO).revisions();
    }

    private static Duration time(String value) {
        return new Retention(0, Duration.parse(value)).age();
    }

    private <T> T take(String name, Function<String, T> parse, T otherwise) {
        String value = given.remove(name);
        try {
            return value == null ? otherwise : parse.apply(value.trim());
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IllegalArgumentException("the setting " + name + " cannot be '" + value + "'", e);
        }
    }

    private static boolean holdsDocuments(String value) {
        return switch (value) {
            case "hold-revision" -> false;
            case "hold-document" -> true;
            default -> throw new IllegalArgumentException("hold-revision or hold-document");
        };
    }
}
