package dev.strake.serdes.text;

/** Whose rules for YAML 1.1 apply where YAML libraries disagree. */
public enum Dialect {
    /** The rules of PyYAML, for Deckhand documents and for Heat. */
    PYTHON,

    /**
     * The rules of go-yaml v2, for BOSH manifests: {@code y} and {@code n} are booleans, {@code 0o17} is 15, {@code
     * 1e3} and {@code 08} are decimals, {@code 1:30} is a text. A merge key
     * counts where it stands: what it merges wins over what is above it and loses to what is below. Tabs may
     * separate. Tags that are not YAML's own are ignored.
     */
    GO
}
