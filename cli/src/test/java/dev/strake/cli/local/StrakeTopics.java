package dev.strake.cli.local;

import dev.strake.remote.apply.ResultTopic;
import dev.strake.remote.fetch.FetchTopics;
import dev.strake.server.kafka.TopicSet;
import java.util.Map;
import java.util.TreeMap;

/** All topics that Strake's programs create, except for changelogs. */
public final class StrakeTopics {

    private StrakeTopics() {}

    /** The settings of each topic. */
    public static Map<String, Map<String, String>> configs() {
        Map<String, Map<String, String>> configs = new TreeMap<>(new TopicSet("strake.").configs());
        configs.put("strake." + FetchTopics.STATUS, FetchTopics.CONFIG);
        configs.put("strake." + FetchTopics.MEMORY, FetchTopics.CONFIG);
        configs.put("strake." + ResultTopic.NAME, ResultTopic.CONFIG);
        return configs;
    }
}
