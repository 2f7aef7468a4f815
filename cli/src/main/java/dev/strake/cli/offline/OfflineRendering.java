package dev.strake.cli.offline;

import dev.strake.cli.files.FileDocuments;
import dev.strake.engine.document.Document;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.text.JsonValues;
import java.util.List;

/**
 * What some documents render to from nothing: they are the first change of a workspace that does not exist anywhere
 * else. The engine is the one that serves topics, so the answers are the same.
 *
 * @param rendered the rendered set in order of schema and name; empty if anything is wrong, unless parts were asked for
 * @param invalid why the documents would be rejected; nothing is rendered then
 * @param problems why documents do not render
 * @param warnings what holds nothing back
 */
public record OfflineRendering(
        List<MapValue> rendered, List<Problem> invalid, List<Problem> problems, List<Problem> warnings) {

    /**
     * Renders the documents of some files.
     *
     * @param renderer decides whether a document in trouble holds back the others
     */
    public static OfflineRendering of(FileDocuments files, Renderer renderer) {
        if (!files.problems().isEmpty()) {
            // What is left out would be missed by others, and hide what is wrong behind what follows from it.
            return new OfflineRendering(List.of(), files.problems(), List.of(), List.of());
        }
        OfflineRendering rendering = of(files.documents(), renderer);
        return new OfflineRendering(
                rendering.rendered,
                located(files, rendering.invalid),
                located(files, rendering.problems),
                located(files, rendering.warnings));
    }

    /** Renders documents, wherever they come from. */
    public static OfflineRendering of(List<Document> published, Renderer renderer) {
        OfflineRevision revision = new OfflineRevision(published, renderer);
        if (!revision.rejections().isEmpty()) {
            return new OfflineRendering(List.of(), revision.rejections(), List.of(), List.of());
        }
        Update update = revision.update();
        Contents contents = revision.contents();
        List<MapValue> rendered = update.emissions().stream()
                .map(Emission::document)
                .map(id -> rendered(contents.document(id), update, contents))
                .toList();
        List<Problem> problems = update.next().problems(Integer.MAX_VALUE);
        return new OfflineRendering(rendered, List.of(), problems, update.warnings());
    }

    private static MapValue rendered(Document document, Update update, Contents contents) {
        byte[] record = update.records().get(document.id());
        return record == null ? document.rendered(contents.data(document.id())) : (MapValue) JsonValues.read(record);
    }

    private static List<Problem> located(FileDocuments files, List<Problem> problems) {
        return problems.stream().map(files::located).toList();
    }
}
