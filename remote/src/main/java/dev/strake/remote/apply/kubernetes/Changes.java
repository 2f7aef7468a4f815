package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.apply.TargetChange;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.kubernetes.KubernetesTarget.Options;
import dev.strake.remote.apply.kubernetes.ObjectWork.Done;
import dev.strake.remote.object.ObjectIdentity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Collects what a round did to objects, or why it did nothing. In a dry run it also keeps the objects to show them. */
final class Changes {

    private final Options options;
    private final List<TargetChange> all = new ArrayList<>();

    Changes(Options options) {
        this.options = options;
    }

    void add(ObjectIdentity identity, Done done, boolean isSecret) {
        all.add(new TargetChange(
                identity.toString(),
                done.kind(),
                shown(done.before()),
                shown(done.after()),
                isSecret || (identity.group().isEmpty() && identity.kind().equals("Secret")),
                done.reason()));
    }

    private byte[] shown(MapValue object) {
        return object == null || !options.dryRun()
                ? null
                : options.text().apply(Live.shown(object)).getBytes(StandardCharsets.UTF_8);
    }

    /** Records that an object was not changed. */
    void nothing(String object, Kind kind, String reason) {
        all.add(TargetChange.nothing(object, kind, reason));
    }

    List<TargetChange> all() {
        return all;
    }
}
