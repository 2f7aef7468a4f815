package dev.strake.serdes.text;

/** Whose reading of YAML 1.1 counts where the readers of this field disagree. */
public enum Dialect {
    /** PyYAML's, in which documents of Deckhand and templates of Heat are written. */
    PYTHON,

    /**
     * That of go-yaml v2, in which BOSH manifests are written: {@code y} and {@code n} are booleans, {@code 0o17} is 15, {@code
     * 1e3} and {@code 08} are decimals, {@code 1:30} is a text; of a key that is there twice the last counts; tags of others
     * than YAML itself are passed over.
     */
    GO
}
