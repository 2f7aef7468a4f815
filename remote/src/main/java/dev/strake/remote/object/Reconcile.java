package dev.strake.remote.object;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens to what came from a document that is gone: to an object of a cluster whose document left the set, or to a
 * document that its source no longer has. Label {@code deploy.razee.io/Reconcile} of the document says it, or else that of
 * its owner. It counts what was recorded when the document was there last.
 */
public enum Reconcile {
    /** It is deleted. */
    TRUE("true"),
    /** It stays, without an owner. */
    FALSE("false"),
    /** It stays until somebody confirms that it may be deleted. */
    CONFIRM("confirm");

    private final String text;

    Reconcile(String text) {
        this.text = text;
    }

    /** The value of the label. */
    public String text() {
        return text;
    }

    /**
     * What an object with this label wants, in any case; empty if it has no such label. An unknown word means {@link
     * #FALSE}, as in Razee: what is not understood deletes nothing.
     */
    public static Optional<Reconcile> of(MapValue object) {
        return new KubernetesObject(object).label(KubernetesObject.RECONCILE).map(Reconcile::named);
    }

    public static Optional<Reconcile> ofLabels(MapValue labels) {
        Value label = labels.get(KubernetesObject.RECONCILE);
        if (label instanceof Bool flag) {
            return Optional.of(flag.value() ? TRUE : FALSE);
        }
        return label instanceof Text text ? Optional.of(named(text.value())) : Optional.empty();
    }

    /** What a value of the label means. */
    public static Reconcile named(String label) {
        return switch (label.toLowerCase(Locale.ROOT)) {
            case "true" -> TRUE;
            case "confirm" -> CONFIRM;
            default -> FALSE;
        };
    }
}
