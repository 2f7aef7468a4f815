package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.object.KubernetesObject;
import java.util.Locale;
import java.util.Optional;

/** How a document is applied to an object that exists: the modes of Razee's RemoteResource. */
public enum ApplyMode {
    /** A merge patch that also removes what the last document had and this one has not. */
    APPLY("Apply"),
    /** As {@link #APPLY}, sent as a strategic merge patch; for custom resources as a merge patch. */
    STRATEGIC_MERGE_PATCH("StrategicMergePatch"),
    /** A merge patch that removes only what the document says null for. */
    ADDITIVE_MERGE_PATCH("AdditiveMergePatch"),
    /** Created if it is not there, and left alone for ever if it is. */
    ENSURE_EXISTS("EnsureExists");

    private final String text;

    ApplyMode(String text) {
        this.text = text;
    }

    /** The name, as Razee's documentation writes it. */
    public String text() {
        return text;
    }

    /** The mode of this name in any case; {@code MergePatch} is another name of {@code Apply}. Empty for any other text. */
    public static Optional<ApplyMode> named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (ApplyMode mode : values()) {
            if (mode.text.toLowerCase(Locale.ROOT).equals(lower)) {
                return Optional.of(mode);
            }
        }
        return lower.equals("mergepatch") ? Optional.of(APPLY) : Optional.empty();
    }

    /** The mode that a document asks for with its label {@code deploy.razee.io/mode}; Apply if it asks for no mode. */
    public static ApplyMode of(MapValue document) {
        return new KubernetesObject(document)
                .label(KubernetesObject.MODE)
                .flatMap(ApplyMode::named)
                .orElse(APPLY);
    }
}
