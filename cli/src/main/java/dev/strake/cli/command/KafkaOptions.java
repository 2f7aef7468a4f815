package dev.strake.cli.command;

import picocli.CommandLine.Option;

/** The options of a command that reads or writes topics, and needs no other settings. */
public final class KafkaOptions extends ClusterOptions {

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            defaultValue = "${env:STRAKE_TOPIC_PREFIX:-strake.}",
            description =
                    "What the names of the topics begin with. Default: STRAKE_TOPIC_PREFIX of the environment, or strake.")
    private String topicPrefix;

    public String topicPrefix() {
        return topicPrefix;
    }
}
