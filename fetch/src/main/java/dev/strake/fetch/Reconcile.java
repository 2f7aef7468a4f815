package dev.strake.fetch;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Locale;
import java.util.Optional;

/** What happens to a document that its source no longer has; the label {@code deploy.razee.io/Reconcile} says it. */
enum Reconcile {
    /** The document is removed. */
    TRUE,
    /** The document stays, and belongs to nobody. */
    FALSE,
    /** The document stays until its removal is confirmed. */
    CONFIRM;

    static final String LABEL = "deploy.razee.io/Reconcile";

    /** What the labels say; empty if they do not. As in Razee, an unknown word removes nothing. */
    static Optional<Reconcile> of(MapValue labels) {
        Value label = labels.get(LABEL);
        if (label instanceof Bool flag) {
            return Optional.of(flag.value() ? TRUE : FALSE);
        }
        if (!(label instanceof Text text)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (text.value().toLowerCase(Locale.ROOT)) {
                    case "true" -> TRUE;
                    case "confirm" -> CONFIRM;
                    default -> FALSE;
                });
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
