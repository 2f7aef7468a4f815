package dev.strake.cli.offline;

import dev.strake.cli.files.FileDocuments;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Records;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.secret.SealedData;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;

/**
 * The result of rendering documents as the first change of a workspace that exists only here. The engine is the one
 * that serves topics, so the results are the same.
 *
 * @param rendered the rendered documents in order of schema and name, each created on access; empty if there are
 *     problems, unless the renderer holds back single documents
 * @param invalid why the documents would be rejected; then nothing is rendered
 * @param problems why documents do not render
 * @param warnings problems that hold nothing back
 */
public record OfflineRendering(
        List<MapValue> rendered, List<Problem> invalid, List<Problem> problems, List<Problem> warnings) {

    /**
     * Renders the documents of files. Reports each cycle once, at one of its members.
     *
     * @param renderer decides whether a document in trouble holds back the others
     * @param redaction how to show secrets
     */
    public static OfflineRendering of(FileDocuments files, Renderer renderer, Redaction redaction) {
        if (!files.problems().isEmpty()) {
            // Without these documents, the problems of others would hide the actual cause.
            return new OfflineRendering(List.of(), files.problems(), List.of(), files.warnings());
        }
        OfflineRendering rendering = of(files.documents(), renderer, redaction);
        List<Problem> warnings = new ArrayList<>(files.warnings());
        warnings.addAll(located(files, rendering.warnings));
        return new OfflineRendering(
                rendering.rendered,
                located(files, rendering.invalid),
                located(files, ProblemCause.once(rendering.problems)),
                warnings);
    }

    /** Renders documents of any source. Reports a problem for each document in trouble. */
    public static OfflineRendering of(List<Document> published, Renderer renderer, Redaction redaction) {
        OfflineRevision revision = new OfflineRevision(published, renderer);
        if (!revision.rejections().isEmpty()) {
            return new OfflineRendering(List.of(), revision.rejections(), List.of(), List.of());
        }
        Update update = revision.update();
        List<Problem> problems = update.next().problems(Integer.MAX_VALUE);
        return new OfflineRendering(
                new Rendered(update, revision.contents(), redaction),
                List.of(),
                problems,
                warnings(published, update.warnings()));
    }

    private static List<Problem> warnings(List<Document> published, List<Problem> warnings) {
        Optional<Problem> sealed = OfflineRevision.sealed(published);
        if (sealed.isEmpty()) {
            return warnings;
        }
        List<Problem> all = new ArrayList<>(warnings);
        if (published.stream().filter(Document::isEncrypted).allMatch(each -> SealedData.isSealed(each.tree()))) {
            all.removeIf(warning -> warning.code() == ProblemCode.NOT_ENCRYPTED);
        }
        all.add(sealed.get());
        return all;
    }

    /* Creates documents on access, because all together take more memory than their sources. Thread-safe. */
    private static final class Rendered extends AbstractList<MapValue> implements RandomAccess {

        private final List<Emission> emissions;
        private final Contents contents;
        private final Records records;
        private final Redaction redaction;

        Rendered(Update update, Contents contents, Redaction redaction) {
            this.emissions = update.emissions();
            this.contents = contents;
            this.records = new Records(update.next(), contents);
            this.redaction = redaction;
        }

        @Override
        public int size() {
            return emissions.size();
        }

        @Override
        public MapValue get(int index) {
            Emission emission = emissions.get(index);
            return redaction.rendered(record(emission));
        }

        private MapValue record(Emission emission) {
            if (emission.owner() != null) {
                synchronized (records) {
                    return records.record(emission.key());
                }
            }
            DocumentId id = emission.document();
            return contents.document(id).rendered(contents.data(id));
        }
    }

    private static List<Problem> located(FileDocuments files, List<Problem> problems) {
        return problems.stream().map(files::located).toList();
    }
}
