package dev.strake.serdes.text;

/** The YAML rules that apply where YAML libraries disagree. */
public enum Dialect {
    /** The rules of PyYAML, for Deckhand documents and for Heat. */
    PYTHON,

    /**
     * The rules of go-yaml v2, for BOSH manifests: {@code y} and {@code n} are booleans, {@code 0o17} is 15,
     * {@code 1e3} and {@code 08} are decimals, {@code 1:30} is a text. A merge key is applied at its position: merged
     * entries override the entries above it, and entries below override them. Tabs may separate tokens. Tags that are
     * not YAML's own are ignored.
     */
    GO,

    /** Scalars as {@code kubectl apply} reads them: as {@link #GO}, and a number has the form that it gets in JSON. */
    KUBECTL,

    /**
     * Scalars as {@code kubectl kustomize} reads them (go-yaml v3): as {@link #KUBECTL}, but {@code yes}, {@code on},
     * {@code y} and the like are texts, and a date is the text of its first second.
     */
    KUSTOMIZE
}
