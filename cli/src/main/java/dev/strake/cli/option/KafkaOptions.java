package dev.strake.cli.option;

import dev.strake.server.kafka.KafkaSettings;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that reads or writes topics, and needs no other settings. */
public final class KafkaOptions {

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            defaultValue = "${env:STRAKE_TOPIC_PREFIX:-strake.}",
            description = "The prefix of topic names. Default: STRAKE_TOPIC_PREFIX of the environment, or strake.")
    private String topicPrefix;

    public KafkaSettings settings(Map<String, String> environment) {
        return cluster.settings(environment);
    }

    public String topicPrefix() {
        return topicPrefix;
    }
}
