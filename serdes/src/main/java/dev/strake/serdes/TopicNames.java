package dev.strake.serdes;

/**
 * The names of the topics, without their prefix. All topics have the same number of partitions. A workspace is in the
 * same partition of each topic.
 */
public final class TopicNames {

    /** The default prefix. */
    public static final String DEFAULT_PREFIX = "strake.";

    /** Document changes: the input. */
    public static final String CHANGES = "document-changes";

    /** The last rendering of every document; compacted. */
    public static final String RENDERED = "rendered-documents";

    /** Secret documents in clear text, if the settings enable this topic; compacted. */
    public static final String CLEARTEXT = "cleartext-documents";

    /** One outcome for every change, keyed by workspace. */
    public static final String OUTCOMES = "outcomes";

    /** The open problems of every workspace; compacted. */
    public static final String PROBLEMS = "render-problems";

    /** Records that belong to no workspace. */
    public static final String DEAD_LETTERS = "dead-letters";

    private TopicNames() {}
}
