package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.object.KubernetesObject;
import java.util.Locale;
import java.util.Optional;

/** How a document is applied to an existing object: the modes of Razee's RemoteResource. */
public enum ApplyMode {
    /** A merge patch that also removes members which only the previous document had. */
    APPLY("Apply"),
    /** As {@link #APPLY}, sent as a strategic merge patch; for custom resources as a merge patch. */
    STRATEGIC_MERGE_PATCH("StrategicMergePatch"),
    /** A merge patch that removes only members which the document sets to null. */
    ADDITIVE_MERGE_PATCH("AdditiveMergePatch"),
    /** Creates the object if it does not exist, and never changes an existing one. */
    ENSURE_EXISTS("EnsureExists");

    private final String text;

    ApplyMode(String text) {
        this.text = text;
    }

    /** Returns the name as in Razee's documentation. */
    public String text() {
        return text;
    }

    /** Finds a mode by name, ignoring case; {@code MergePatch} is an alias of {@code Apply}. Empty if unknown. */
    public static Optional<ApplyMode> named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (ApplyMode mode : values()) {
            if (mode.text.toLowerCase(Locale.ROOT).equals(lower)) {
                return Optional.of(mode);
            }
        }
        return lower.equals("mergepatch") ? Optional.of(APPLY) : Optional.empty();
    }

    /** Returns the mode in the label {@code deploy.razee.io/mode} of a document; Apply by default. */
    public static ApplyMode of(MapValue document) {
        return new KubernetesObject(document)
                .label(KubernetesObject.MODE)
                .flatMap(ApplyMode::named)
                .orElse(APPLY);
    }
}
