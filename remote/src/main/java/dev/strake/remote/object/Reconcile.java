package dev.strake.remote.object;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens once a document is gone: to its object in a cluster, or to a document that its source no longer has. The
 * label {@code deploy.razee.io/Reconcile} of the document decides, or else the label of its owner. The value that was
 * recorded when the document last existed counts.
 */
public enum Reconcile {
    /** The object or document is deleted. */
    TRUE("true"),
    /** It stays, without an owner. */
    FALSE("false"),
    /** It stays until its deletion is confirmed. */
    CONFIRM("confirm");

    private final String text;

    Reconcile(String text) {
        this.text = text;
    }

    /** Returns the value of the label. */
    public String text() {
        return text;
    }

    /**
     * Returns the value of an object's label, ignoring case; empty if the label is missing. An unknown value means
     * {@link #FALSE}, as in Razee, so that a typing error deletes nothing.
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

    /** Parses the value of the label. */
    public static Reconcile named(String label) {
        return switch (label.toLowerCase(Locale.ROOT)) {
            case "true" -> TRUE;
            case "confirm" -> CONFIRM;
            default -> FALSE;
        };
    }
}
