package dev.strake.server.deckhand;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.PythonRepr;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.deckhand.answers.DocumentView;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.deckhand.documents.AnswerSize;
import dev.strake.server.deckhand.documents.DeepDiff;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.OpenRevision;
import dev.strake.topology.layout.DocumentsLayout.Entry;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The differences between two revisions:
 *
 * <pre>
 *  GET  /revisions/{revision}/diff/{other}       bucket: created | deleted | modified | unmodified
 *  GET  /revisions/{revision}/deepdiff/{other}   the same for rendered documents, with the differences
 * </pre>
 *
 * <p>States do not depend on the order of the revisions. Differences do: they lead from the first to the second.
 */
record DiffRoutes(Asking asking) {

    private static final String MODIFIED = "modified";
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+");

    List<Route> questions() {
        return List.of(
                asking.get("/revisions/{revision}/diff/{other}", DiffRoutes::diff),
                asking.get("/revisions/{revision}/deepdiff/{other}", DiffRoutes::deepDiff));
    }

    private static Response diff(Asked asked) {
        Two<Map<String, Map<DocumentId, Fingerprint>>> two = Two.of(asked, number -> published(asked, number));
        MapValue.Builder answer = MapValue.builder();
        states(two.earlier(), two.later()).forEach(answer::put);
        return YamlAnswers.of(200, answer.build());
    }

    private static Response deepDiff(Asked asked) {
        AnswerSize size = new AnswerSize();
        Two<Map<String, SortedMap<DocumentKey, MapValue>>> two = Two.of(asked, number -> rendered(asked, number, size));
        Redaction redaction = asked.question().shown().redaction();
        MapValue.Builder answer = MapValue.builder();
        states(two.earlier(), two.later()).forEach((bucket, state) -> {
            answer.put(bucket, state);
            if (state.equals(MODIFIED)) {
                answer.put(
                        bucket + " diff",
                        difference(two.first().get(bucket), two.second().get(bucket), redaction));
            }
        });
        return YamlAnswers.of(200, answer.build());
    }

    /**
     * Returns the state of each bucket. A bucket without documents does not exist, so relative to revision 0 all buckets
     * are created.
     *
     * @param earlier the content of each bucket in the earlier revision, comparable by equals
     * @param later the same for the later revision
     */
    static SortedMap<String, String> states(Map<String, ?> earlier, Map<String, ?> later) {
        SortedMap<String, String> states = new TreeMap<>();
        earlier.forEach((bucket, content) -> states.put(
                bucket,
                !later.containsKey(bucket) ? "deleted" : content.equals(later.get(bucket)) ? "unmodified" : MODIFIED));
        later.keySet().forEach(bucket -> states.putIfAbsent(bucket, "created"));
        return states;
    }

    /**
     * Data of each of the two revisions.
     *
     * @param isTurned whether the second revision is the earlier one
     */
    private record Two<T>(T first, T second, boolean isTurned) {

        static <T> Two<T> of(Asked asked, Function<Long, T> reader) {
            long first = number(asked, asked.request().path("revision"));
            long second = number(asked, asked.request().path("other"));
            T ofFirst = reader.apply(first);
            return new Two<>(ofFirst, first == second ? ofFirst : reader.apply(second), first > second);
        }

        private static long number(Asked asked, String text) {
            if (!INTEGER.matcher(text).matches()) {
                throw new RefusedException(
                        400,
                        "InvalidInputException",
                        "The revision %s is not an integer.".formatted(Problem.cut(text, 40)));
            }
            return asked.revisionOrNone(text);
        }

        T earlier() {
            return isTurned ? second : first;
        }

        T later() {
            return isTurned ? first : second;
        }
    }

    /* The fingerprints of the documents in each bucket, with defaults. Revision 0 has none. */
    private static Map<String, Map<DocumentId, Fingerprint>> published(Asked asked, long number) {
        Map<String, Map<DocumentId, Fingerprint>> buckets = new TreeMap<>();
        try (OpenRevision open = asked.open(number);
                Stream<Read<Entry>> all = open.stored().documents(null)) {
            all.forEach(read -> buckets.computeIfAbsent(read.entry().bucket(), none -> new TreeMap<>())
                    .put(
                            read.id(),
                            DocumentView.withDefaults(read.entry().document().tree())
                                    .fingerprint()));
        }
        return buckets;
    }

    private static Map<String, SortedMap<DocumentKey, MapValue>> rendered(Asked asked, long number, AnswerSize size) {
        Map<String, SortedMap<DocumentKey, MapValue>> buckets = new TreeMap<>();
        if (number > 0) {
            try (OpenRevision open = asked.open(number)) {
                AllOrNothing.of(asked, open).read(id -> true, (published, content) -> {
                    size.add(content);
                    MapValue document = DocumentView.withDefaults(content);
                    buckets.computeIfAbsent(published.bucket(), none -> new TreeMap<>())
                            .put(key(document), document);
                });
            }
        }
        return buckets;
    }

    private static DocumentKey key(MapValue document) {
        return new DocumentKey(document.text("schema"), document.map("metadata").text("name"));
    }

    private static MapValue difference(
            SortedMap<DocumentKey, MapValue> first, SortedMap<DocumentKey, MapValue> second, Redaction redaction) {
        List<Value> added = missing(second, first);
        List<Value> deleted = missing(first, second);
        MapValue.Builder changed = MapValue.builder();
        first.forEach((key, document) -> {
            MapValue other = second.get(key);
            if (other != null && !document.equals(other)) {
                changed.put(pair(key), difference(document, other, redaction));
            }
        });
        MapValue.Builder result = MapValue.builder();
        put(result, "document_added", added.size(), ListValue.of(added));
        put(result, "document_deleted", deleted.size(), ListValue.of(deleted));
        put(result, "document_changed", changed.size(), changed.build());
        return result.build();
    }

    private static void put(MapValue.Builder result, String what, int count, Value details) {
        if (count > 0) {
            result.put(what, MapValue.of("count", count).with("details", details));
        }
    }

    private static List<Value> missing(SortedMap<DocumentKey, MapValue> in, SortedMap<DocumentKey, MapValue> of) {
        return in.keySet().stream()
                .filter(key -> !of.containsKey(key))
                .<Value>map(key -> ListValue.of(new Text(key.schema()), new Text(key.name())))
                .toList();
    }

    /* Formatted like a tuple in Python. */
    private static String pair(DocumentKey key) {
        return "(%s, %s)".formatted(repr(key.schema()), repr(key.name()));
    }

    private static String repr(String text) {
        return PythonRepr.of(new Text(text), Num::literal);
    }

    /* Like Deckhand, shows no differences of entirely secret data. */
    private static MapValue difference(MapValue first, MapValue second, Redaction redaction) {
        Value old = first.get("data");
        Value young = second.get("data");
        boolean isSecret = old.isSecret() || young.isSecret();
        return MapValue.of(
                        "data_changed",
                        isSecret ? MapValue.of("encrypted", Bool.TRUE) : DeepDiff.of(old, young, redaction))
                .with("metadata_changed", DeepDiff.of(first.get("metadata"), second.get("metadata"), redaction));
    }
}
