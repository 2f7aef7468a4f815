package dev.strake.engine.apply;

import dev.strake.engine.tree.MapValue;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens to an object whose document left the set: label {@code deploy.razee.io/Reconcile} of the document, or else
 * of its owner. It counts what was recorded when the document was applied last, not the label of the live object.
 */
public enum Reconcile {
    /** The object is deleted. */
    TRUE("true"),
    /** The object stays, without an owner. */
    FALSE("false"),
    /** The object stays until somebody confirms that it may be deleted. */
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

    /** What a value of the label means. */
    public static Reconcile named(String label) {
        return switch (label.toLowerCase(Locale.ROOT)) {
            case "true" -> TRUE;
            case "confirm" -> CONFIRM;
            default -> FALSE;
        };
    }
}
