package dev.strake.topology.store;

import dev.strake.engine.identity.DocumentId;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.RenderedLayout;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Documents and renderings as of a revision, looked up one after another. Those that are asked for in the order of their
 * {@linkplain #place places} are found fastest. It shows the stores as they were at some time since it was made, so whoever
 * asks has to see afterwards that the revision is still kept.
 */
public final class ManyAsOf implements AutoCloseable {

    private final InstalledKeys keys;
    private final String workspace;
    private final long revision;
    private final Walk documents;
    private final Walk rendered;

    ManyAsOf(
            ReadOnlyKeyValueStore<Bytes, byte[]> documents,
            ReadOnlyKeyValueStore<Bytes, byte[]> rendered,
            InstalledKeys keys,
            String workspace,
            long revision) {
        this.keys = keys;
        this.workspace = workspace;
        this.revision = revision;
        this.documents = new Walk(documents, DocumentsLayout.prefix(workspace));
        this.rendered = new Walk(rendered, RenderedLayout.prefix(workspace));
    }

    /** The place of a document among all of a workspace, in either store. */
    public static Bytes place(DocumentId id) {
        return Bytes.wrap(DocumentsLayout.key("", id, 0));
    }

    /** As {@link StateReader#documentAsOf}. */
    public DocumentsLayout.Entry document(DocumentId id) {
        return document(
                keys.current(),
                documents.last(DocumentsLayout.key(workspace, id, 0), DocumentsLayout.key(workspace, id, revision)));
    }

    /** As {@link StateReader#renderingAsOf}. */
    public RenderedLayout.Rendering rendering(DocumentId id) {
        return rendering(
                keys.current(),
                rendered.last(RenderedLayout.key(workspace, id, 0), RenderedLayout.key(workspace, id, revision)));
    }

    static DocumentsLayout.Entry document(SecretKeys keys, Optional<KeyValue<Bytes, byte[]>> found) {
        return found.map(entry -> DocumentsLayout.read(keys, entry.key.get(), entry.value))
                .orElse(DocumentsLayout.Entry.REMOVED);
    }

    static RenderedLayout.Rendering rendering(SecretKeys keys, Optional<KeyValue<Bytes, byte[]>> found) {
        return found.map(entry -> RenderedLayout.read(keys, entry.key.get(), entry.value))
                .orElse(RenderedLayout.Rendering.REMOVED);
    }

    @Override
    public void close() {
        documents.close();
        rendered.close();
    }
}
