package dev.strake.serdes.text;

/** Whose rules for YAML 1.1 apply where programs disagree. */
public enum Dialect {
    /** PyYAML's, in which documents of Deckhand and templates of Heat are written. */
    PYTHON,

    /**
     * That of go-yaml v2, in which BOSH manifests are written: {@code y} and {@code n} are booleans, {@code 0o17} is 15, {@code
     * 1e3} and {@code 08} are decimals, {@code 1:30} is a text; of a key that is there twice the last counts; tags that
     * are not YAML's own are ignored.
     */
    GO
}
