package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.serdes.rendered.RenderedRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What has to happen to files so that they become the documents of an update. Looks, and changes nothing.
 *
 * @param changes in the order of their paths
 * @param omitted paths that documents with secrets would have, in their order
 * @param unchanged how many documents have the file that they should have, of those that were looked at
 * @param after whose files they are when all is done
 */
record FilePlan(List<TargetChange> changes, List<String> omitted, int unchanged, Manifest after) {

    /** The files as they are. */
    interface Present {

        /** What a file holds; empty if there is none. */
        Optional<byte[]> read(String path) throws IOException;

        /** Whether something is there that is no file: a folder or a link. */
        boolean isOther(String path) throws IOException;
    }

    static FilePlan of(RenderedUpdate update, FileForm form, Manifest before, Present present) throws IOException {
        SortedMap<String, RenderedRecord> put = new TreeMap<>();
        TreeSet<String> gone = new TreeSet<>();
        for (Map.Entry<DocumentKey, RenderedRecord> each : update.put().entrySet()) {
            put.put(form.path(each.getKey()), each.getValue());
        }
        update.removed().forEach(key -> gone.add(form.path(key)));
        if (update.kind() != RenderedUpdate.Kind.REVISION) {
            gone.addAll(before.files().keySet());
        }
        SortedMap<String, Manifest.Entry> files = new TreeMap<>(before.files());
        List<TargetChange> changes = new ArrayList<>();
        List<String> omitted = new ArrayList<>();
        int unchanged = 0;
        for (Map.Entry<String, RenderedRecord> each : put.entrySet()) {
            String path = each.getKey();
            Optional<byte[]> content = form.content(each.getValue());
            if (form.omits(each.getValue())) {
                omitted.add(path);
            }
            if (content.isEmpty()) {
                gone.add(path);
                continue;
            }
            gone.remove(path);
            boolean secret = FileForm.isSecret(each.getValue());
            if (present.isOther(path)) {
                changes.add(new TargetChange(path, Kind.FOREIGN, null, null, secret));
                files.remove(path);
                continue;
            }
            Optional<TargetChange> change = change(path, present.read(path), content.get(), before.of(path), secret);
            change.ifPresent(changes::add);
            unchanged += change.isPresent() ? 0 : 1;
            if (change.isEmpty() || change.get().kind() != Kind.FOREIGN) {
                files.put(path, Manifest.Entry.of(content.get(), secret));
            }
        }
        for (String path : gone) {
            Manifest.Entry written = files.remove(path);
            if (written != null && !present.isOther(path)) {
                present.read(path)
                        .ifPresent(bytes ->
                                changes.add(new TargetChange(path, Kind.REMOVE, bytes, null, written.secret())));
            }
        }
        changes.sort((one, other) -> one.path().compareTo(other.path()));
        return new FilePlan(
                List.copyOf(changes), List.copyOf(omitted), unchanged, new Manifest(before.workspace(), files));
    }

    private static Optional<TargetChange> change(
            String path, Optional<byte[]> held, byte[] wanted, Optional<Manifest.Entry> written, boolean secret) {
        byte[] before = held.orElse(null);
        boolean isSecret = secret || written.filter(Manifest.Entry::secret).isPresent();
        if (written.isPresent() && Arrays.equals(before, wanted)) {
            return Optional.empty(); // a file that is not ours is none of ours with the content that is wanted, too
        }
        Kind kind = before == null ? Kind.CREATE : written.isEmpty() ? Kind.FOREIGN : Kind.REPLACE;
        if (written.isPresent() && written.get().isChanged(before)) {
            kind = Kind.RESTORE;
        }
        return Optional.of(new TargetChange(path, kind, before, wanted, isSecret));
    }

    /** How many files there would be fewer. */
    long removals() {
        return changes.stream().filter(change -> change.kind() == Kind.REMOVE).count();
    }

    /** What the manifest has to say before anything is written: whoever is stopped half-way owns what he may have written. */
    Manifest during(Manifest before) {
        SortedMap<String, Manifest.Entry> both = new TreeMap<>(before.files());
        both.putAll(after.files());
        for (TargetChange change : changes) {
            both.computeIfPresent(change.path(), (path, entry) -> entry.underWay());
        }
        return new Manifest(after.workspace(), both);
    }

    FilePlan withoutRemovals(Manifest before) {
        List<TargetChange> left =
                changes.stream().filter(change -> change.kind() != Kind.REMOVE).toList();
        SortedMap<String, Manifest.Entry> both = new TreeMap<>(before.files());
        both.putAll(after.files());
        return new FilePlan(left, omitted, unchanged, new Manifest(after.workspace(), both));
    }
}
