package dev.strake.server.deckhand;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.topology.store.NumberedRevision;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;

/** A revision as Deckhand answers it. */
final class RevisionView {

    /** Without a zone, which is UTC. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

    private RevisionView() {}

    /** One of a list, with the names of its tags. */
    static MapValue inList(Asked asked, NumberedRevision revision) {
        return what(asked, revision)
                .put("tags", texts(revision.revision().tags().keySet()))
                .build();
    }

    /** One alone, with the data of its tags. */
    static MapValue alone(Asked asked, NumberedRevision revision) {
        long shown = asked.shown(revision.number());
        return what(asked, revision)
                .put("status", new Text("success"))
                .put("tags", MapValue.of(revision.revision().tags()))
                .put("url", new Text("https://deckhand/api/" + DeckhandApi.VERSION + "/revisions/" + shown))
                .put("validationPolicies", ListValue.EMPTY)
                .build();
    }

    private static MapValue.Builder what(Asked asked, NumberedRevision revision) {
        return MapValue.builder()
                .put("buckets", texts(buckets(revision)))
                .put("createdAt", time(revision.revision().time()))
                .put("id", Num.of(asked.shown(revision.number())));
    }

    private static List<String> buckets(NumberedRevision revision) {
        String bucket = revision.revision().change().bucket();
        return bucket == null ? List.of() : List.of(bucket);
    }

    /** @param millis since 1970 */
    static Text time(long millis) {
        return new Text(TIME.format(Instant.ofEpochMilli(millis)));
    }

    private static ListValue texts(Collection<String> all) {
        return ListValue.of(all.stream().<Value>map(Text::new).toList());
    }
}
