package dev.strake.serdes.text;

/** Whose rules for YAML apply where YAML libraries disagree. */
public enum Dialect {
    /** The rules of PyYAML, for Deckhand documents and for Heat. */
    PYTHON,

    /**
     * The rules of go-yaml v2, for BOSH manifests: {@code y} and {@code n} are booleans, {@code 0o17} is 15, {@code
     * 1e3} and {@code 08} are decimals, {@code 1:30} is a text. A merge key
     * counts where it stands: what it merges wins over what is above it and loses to what is below. Tabs may
     * separate. Tags that are not YAML's own are ignored.
     */
    GO,

    /** Scalars as {@code kubectl apply} reads them: those of {@link #GO}, and a number is the one that its JSON has. */
    KUBECTL,

    /**
     * Scalars as {@code kubectl kustomize} reads them (go-yaml v3): as {@link #KUBECTL}, but {@code yes}, {@code on},
     * {@code y} and the like are texts, and a date is the text of its first second.
     */
    KUSTOMIZE
}
