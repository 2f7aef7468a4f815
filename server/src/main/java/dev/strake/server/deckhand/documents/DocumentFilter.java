package dev.strake.server.deckhand.documents;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Selects documents of a revision. A document has to match one value of each repeated parameter, but all labels.
 *
 * <pre>
 *  schema                                 a/B/v1, a/B or a
 *  metadata.name                          equal, like the next two
 *  metadata.layeringDefinition.layer
 *  status.bucket
 *  metadata.layeringDefinition.abstract   true or false
 *  metadata.label                         KEY=VALUE
 * </pre>
 *
 * <p>A malformed value selects nothing, as in Deckhand.
 */
public final class DocumentFilter {

    private static final String SCHEMA = "schema";
    private static final String NAME = "metadata.name";
    private static final String LAYER = "metadata.layeringDefinition.layer";
    private static final String BUCKET = "status.bucket";
    private static final String ABSTRACT = "metadata.layeringDefinition.abstract";
    private static final String LABEL = "metadata.label";

    /** The query parameters of routes with this filter. */
    public static final List<String> PARAMETERS =
            List.of(SCHEMA + "*", NAME + "*", LAYER + "*", BUCKET + "*", ABSTRACT + "*", LABEL + "*");

    private final List<String> schemas;
    private final List<String> names;
    private final List<String> layers;
    private final List<String> buckets;
    private final List<String> abstracts;
    private final List<String> labels;

    private DocumentFilter(Function<String, List<String>> parameters, List<String> abstracts) {
        this.schemas = parameters.apply(SCHEMA);
        this.names = parameters.apply(NAME);
        this.layers = parameters.apply(LAYER);
        this.buckets = parameters.apply(BUCKET);
        this.abstracts = abstracts;
        this.labels = parameters.apply(LABEL);
    }

    /**
     * Returns a filter for published documents.
     *
     * @param parameters returns all values of a parameter
     */
    public static DocumentFilter ofPublished(Function<String, List<String>> parameters) {
        return new DocumentFilter(parameters, parameters.apply(ABSTRACT));
    }

    /** As {@link #ofPublished}, for rendered documents. None is abstract, and Deckhand ignores that parameter. */
    public static DocumentFilter ofRendered(Function<String, List<String>> parameters) {
        return new DocumentFilter(parameters, List.of());
    }

    /** Whether a document may be selected, judging by its identity only. */
    public boolean mayBe(DocumentId id) {
        return isAny(schemas, each -> isSchema(each, id.schema()))
                && isAny(names, id.name()::equals)
                && isAny(layers, each -> !each.isEmpty() && id.layer().equals(each));
    }

    /**
     * Whether a document is selected.
     *
     * @param document with its defaults and its status
     */
    public boolean selects(MapValue document) {
        MapValue metadata = document.map("metadata");
        MapValue layering = metadata.map("layeringDefinition");
        return isAny(schemas, each -> isSchema(each, document.text("schema")))
                && isAny(names, each -> new Text(each).equals(metadata.get("name")))
                && isAny(layers, each -> new Text(each).equals(layering.get("layer")))
                && isAny(buckets, document.map("status").text("bucket")::equals)
                && isAny(abstracts, each -> isAbstract(each, layering))
                && labels.stream().allMatch(each -> isLabelled(metadata.map("labels"), each));
    }

    private static boolean isAny(List<String> wanted, Predicate<String> fits) {
        return wanted.isEmpty() || wanted.stream().anyMatch(fits);
    }

    /* Matches a complete schema, or its first one or two parts. */
    private static boolean isSchema(String wanted, String schema) {
        boolean isWhole = wanted.chars().filter(each -> each == '/').count() >= 2;
        return isWhole ? schema.equals(wanted) : schema.startsWith(wanted + "/");
    }

    private static boolean isAbstract(String wanted, MapValue layering) {
        boolean isKnown = wanted.equalsIgnoreCase("true") || wanted.equalsIgnoreCase("false");
        return isKnown && Bool.of(Boolean.parseBoolean(wanted)).equals(layering.get("abstract"));
    }

    /* The key ends at the first equals sign. */
    private static boolean isLabelled(MapValue labels, String wanted) {
        int equals = wanted.indexOf('=');
        return equals >= 0 && new Text(wanted.substring(equals + 1)).equals(labels.get(wanted.substring(0, equals)));
    }
}
