package dev.strake.engine.explain;

import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Tracer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Why a change rendered documents again. Records the decisions while the change is computed, and follows the reasons
 * from a document back to the edit where they begin:
 *
 * <pre>
 *  web in site      layers on web in global, which changed
 *  web in global    substitutes from images, which changed
 *  images           was edited
 * </pre>
 */
public final class RenderReasons implements Tracer {

    private final Map<DocumentId, Link> links = new HashMap<>();
    private final Map<DocumentId, Link> derivations = new HashMap<>();

    /**
     * The decision about one document.
     *
     * @param reason why it was inspected; null if the change reached it, but nothing that it depends on changed
     */
    public record Link(DocumentId document, Reason reason, Verdict verdict) {}

    @Override
    public void decided(DocumentId document, Reason reason, Verdict verdict) {
        links.put(document, new Link(document, reason, verdict));
    }

    @Override
    public void derived(DocumentId owner, DocumentId cause, Verdict verdict) {
        derivations.put(owner, new Link(owner, new Reason.Read(cause), verdict));
    }

    /** As {@link #chain}, for a derived document. It has the verdict on all documents of its owner. */
    public List<Link> chainOfDerived(DocumentId document, DocumentId owner) {
        Link derivation = derivations.get(owner);
        if (derivation == null) {
            return List.of();
        }
        List<Link> chain = new ArrayList<>();
        chain.add(new Link(document, new Reason.Derived(owner), derivation.verdict()));
        DocumentId cause = ((Reason.Read) derivation.reason()).document();
        if (!cause.equals(owner)) {
            chain.add(derivation);
        }
        chain.addAll(chain(cause));
        return List.copyOf(chain);
    }

    /** The document, then what made it due, and so on up to the edit. Empty if the change did not reach it. */
    public List<Link> chain(DocumentId document) {
        List<Link> chain = new ArrayList<>();
        Set<DocumentId> seen = new HashSet<>();
        Link link = links.get(document);
        while (link != null && seen.add(link.document())) {
            chain.add(link);
            DocumentId next = before(link.reason());
            link = next == null ? null : links.get(next);
        }
        return List.copyOf(chain);
    }

    /* The document that made another one due. For a redirected reference, its new or old target, if that was due. */
    private DocumentId before(Reason reason) {
        if (reason instanceof Reason.Changed changed) {
            return changed.dependency().on();
        }
        if (reason instanceof Reason.Resolved resolved) {
            DocumentId now = on(resolved.now());
            DocumentId before = on(resolved.before());
            return wasDue(now) ? now : wasDue(before) ? before : null;
        }
        return null;
    }

    private boolean wasDue(DocumentId document) {
        Link link = links.get(document);
        return link != null && link.reason() != null;
    }

    private static DocumentId on(Dependency dependency) {
        return dependency == null ? null : dependency.on();
    }
}
