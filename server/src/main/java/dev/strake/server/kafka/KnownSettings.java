package dev.strake.server.kafka;

import dev.strake.server.settings.InvalidSettingException;
import dev.strake.server.settings.Source.Given;
import dev.strake.server.settings.Spelling;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings that Kafka's clients have. Kafka passes over what none of them knows, so that plug-ins may have settings of
 * their own. A name that differs from one of Kafka's in a letter or two is taken for a mistake, since somebody would rely on
 * what has no effect.
 */
final class KnownSettings {

    /** What the clients know: several of them know a setting, and all mean the same by it. */
    private static final List<ConfigDef> CLIENTS = List.of(
            AdminClientConfig.configDef(),
            ProducerConfig.configDef(),
            ConsumerConfig.configDef(),
            StreamsConfig.configDef());

    /** Others than Kafka's clients know these: plug-ins of a name that the operator chooses, and brokers, which refuse. */
    private static final List<String> FOR_OTHERS = List.of("config.providers.", StreamsConfig.TOPIC_PREFIX);

    /** How many letters of a name may be wrong, and it is still clear what is meant. */
    private static final int MOST_WRONG = 2;

    private KnownSettings() {}

    /** All names with all prefixes. Who writes them right, which is nearly everybody, never needs them. */
    private static final class Names {

        static final Set<String> ALL = all();

        private static Set<String> all() {
            Set<String> names = new TreeSet<>();
            for (ConfigDef client : CLIENTS) {
                for (String name : client.names()) {
                    names.add(name);
                    KafkaSettings.PREFIXES.forEach(prefix -> names.add(prefix + name));
                }
            }
            for (Field constant : TopicConfig.class.getFields()) { // Kafka's clients have no other list of them
                if (constant.getName().endsWith("_CONFIG")) {
                    names.add(StreamsConfig.TOPIC_PREFIX + value(constant));
                }
            }
            return names;
        }

        private static Object value(Field constant) {
            try {
                return constant.get(null);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e); // getFields() names public ones
            }
        }
    }

    /** Whether there is a setting of this name, with or without a prefix of Kafka Streams. */
    static boolean has(String name) {
        String bare = ReservedSettings.bare(name);
        return CLIENTS.stream().anyMatch(client -> client.names().contains(bare))
                || (name.startsWith(StreamsConfig.TOPIC_PREFIX) && Names.ALL.contains(name));
    }

    /** Whether a client knows a setting and does not call it a password. */
    static boolean isPublic(String name) {
        String bare = ReservedSettings.bare(name);
        return CLIENTS.stream()
                .filter(client -> client.names().contains(bare))
                .findFirst()
                .map(client -> client.configKeys().get(bare).type != ConfigDef.Type.PASSWORD)
                .orElse(false);
    }

    /**
     * Refuses names that are nearly those of settings.
     *
     * @throws InvalidSettingException if there are any; the message lists all of them, with where they are and what is
     *     probably meant
     */
    static void refuseMisspelled(Map<String, Given> given) {
        List<String> refused = new ArrayList<>();
        new TreeMap<>(given).forEach((name, value) -> {
            if (!has(name)) {
                Spelling.nearest(name, Names.ALL, MOST_WRONG)
                        .ifPresent(meant -> refused.add("%s (%s). Is it %s?".formatted(name, value.origin(), meant)));
            }
        });
        if (!refused.isEmpty()) {
            throw new InvalidSettingException(
                    "Kafka has no settings of these names:\n  " + String.join("\n  ", refused));
        }
    }

    /** Whether nothing but a plug-in can know a setting. */
    static boolean isForPlugIns(String name) {
        return !has(name) && FOR_OTHERS.stream().noneMatch(name::startsWith);
    }
}
