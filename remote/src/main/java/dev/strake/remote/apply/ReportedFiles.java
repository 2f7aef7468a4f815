package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.rendered.RenderedRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A target of files that also reports the result of each document.
 *
 * @param files the target; paths of its changes are paths of files
 * @param form the form of the files
 */
public record ReportedFiles(ApplyTarget files, FileForm form, DocumentResult.Listener listener) implements ApplyTarget {

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        return files.checkpoint();
    }

    @Override
    public boolean takesSecrets() {
        return form.withSecrets();
    }

    @Override
    public Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException, OutOfStepException {
        Applied applied;
        try {
            applied = files.apply(update, behind);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            update.put().forEach((key, record) -> tell(key, record, DocumentResult.Status.FAILED, reason));
            throw e;
        }
        boolean isHeld = applied.status() == Applied.Status.HELD;
        Map<String, TargetChange.Kind> kinds = new HashMap<>();
        applied.changes().forEach(change -> kinds.put(change.path(), change.kind()));
        update.put().forEach((key, record) -> {
            if (isHeld) {
                tell(key, record, DocumentResult.Status.HELD, applied.remark());
            } else {
                became(key, record, kinds.get(form.path(key)));
            }
        });
        if (!isHeld) {
            gone(update, kinds).forEach(listener::gone);
        }
        return applied;
    }

    private void became(DocumentKey key, RenderedRecord record, TargetChange.Kind kind) {
        if (form.omits(record)) {
            tell(key, record, DocumentResult.Status.OMITTED, Applied.OMITTED);
            return;
        }
        if (kind == TargetChange.Kind.FOREIGN) {
            tell(key, record, DocumentResult.Status.HELD, "something that is not ours has the name of its file");
            return;
        }
        if (kind == TargetChange.Kind.RESTORE) {
            tell(key, record, DocumentResult.Status.DRIFTED, "others changed its file, and it was restored");
        }
        tell(key, record, DocumentResult.Status.APPLIED, "");
    }

    private void tell(DocumentKey key, RenderedRecord record, DocumentResult.Status status, String reason) {
        if (hasFile(record)) {
            listener.became(
                    new DocumentResult(key, form.path(key), record.headers().revision(), status, reason));
        }
    }

    private boolean hasFile(RenderedRecord record) {
        return form.omits(record)
                || record.document().flatMap(form.contents()::of).isPresent();
    }

    /* Documents that left while the applier was not running are known only by their files. */
    private Set<DocumentKey> gone(RenderedUpdate update, Map<String, TargetChange.Kind> kinds) {
        Set<DocumentKey> gone = new TreeSet<>(update.removed());
        kinds.forEach((path, kind) -> {
            if (kind == TargetChange.Kind.REMOVE) {
                form.key(path).ifPresent(gone::add);
            }
        });
        update.put().forEach((key, record) -> {
            if (form.omits(record)) {
                gone.remove(key); // the file is gone, but the document is not
            } else if (kinds.get(form.path(key)) == TargetChange.Kind.REMOVE) {
                gone.add(key); // the document is no longer an object
            }
        });
        return gone;
    }

    @Override
    public Optional<Applied> idle() throws IOException {
        return files.idle();
    }

    @Override
    public boolean isSettled() {
        return files.isSettled();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
