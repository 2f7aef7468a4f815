package dev.strake.remote.fetch;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.rendered.RenderedKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Decides which resource owns a bucket: the one that has published to it, or else the first by name that claims it. */
final class Owners {

    private final Map<RenderedKey, List<Claim>> claims = new HashMap<>();
    private final Map<Claim, NavigableSet<DocumentKey>> claiming = new HashMap<>();

    private record Claim(String workspace, String bucket, boolean hasPublished) {}

    /** Replaces the claims of a resource: the bucket that it wants, and the one that it has published to. */
    void put(RenderedKey resource, Optional<String> wanted, Optional<String> published) {
        List<Claim> now = new ArrayList<>();
        wanted.ifPresent(bucket -> now.add(new Claim(resource.workspace(), bucket, false)));
        published.ifPresent(bucket -> now.add(new Claim(resource.workspace(), bucket, true)));
        List<Claim> before = now.isEmpty() ? claims.remove(resource) : claims.put(resource, now);
        if (before != null) {
            before.forEach(claim -> claiming.computeIfPresent(claim, (same, all) -> {
                all.remove(resource.document());
                return all.isEmpty() ? null : all;
            }));
        }
        now.forEach(claim ->
                claiming.computeIfAbsent(claim, same -> new TreeSet<>()).add(resource.document()));
    }

    /** Returns the owner of a bucket; empty if no resource claims it. */
    Optional<RenderedKey> of(String workspace, String bucket) {
        return first(new Claim(workspace, bucket, true)).or(() -> first(new Claim(workspace, bucket, false)));
    }

    private Optional<RenderedKey> first(Claim claim) {
        return Optional.ofNullable(claiming.get(claim)).map(all -> new RenderedKey(claim.workspace(), all.first()));
    }
}
