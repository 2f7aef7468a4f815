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
 * The changes that bring files to the documents of an update. Planning only reads.
 *
 * @param changes the changes, ordered by path
 * @param omitted paths of documents that have no file because they contain secrets, in order
 * @param unchanged the number of files that were checked and need no change
 * @param after the manifest after all changes
 */
record FilePlan(List<TargetChange> changes, List<String> omitted, int unchanged, Manifest after) {

    /** Gives access to the current files. */
    interface Present {

        /** Returns the content of a file; empty if it does not exist. */
        Optional<byte[]> read(String path) throws IOException;

        /** Whether the path, or a part of it, is something other than a file: a folder or a link. */
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
            return Optional.empty(); // an unknown file stays FOREIGN, even with the wanted content
        }
        Kind kind = before == null ? Kind.CREATE : written.isEmpty() ? Kind.FOREIGN : Kind.REPLACE;
        if (written.isPresent() && written.get().isChanged(before)) {
            kind = Kind.RESTORE;
        }
        return Optional.of(new TargetChange(path, kind, before, wanted, isSecret));
    }

    /** Returns the number of files that would be removed. */
    long removals() {
        return changes.stream().filter(change -> change.kind() == Kind.REMOVE).count();
    }

    /** Returns the manifest to write first. After a crash it names every file that the applier may have written. */
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
