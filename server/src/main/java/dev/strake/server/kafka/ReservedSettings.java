package dev.strake.server.kafka;

import dev.strake.server.settings.InvalidSettingException;
import dev.strake.server.settings.Source.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The settings of Kafka that an operator cannot choose, because exactly-once or the topology depends on them. They are
 * refused under every prefix of Kafka Streams. Every other setting that Kafka has is open; a test lists those, so that a new
 * version of Kafka brings none that nobody judged.
 */
final class ReservedSettings {

    private static final String OF_CHANGELOGS = "topic.";

    private static final String ONCE = "with another value changes get lost, count twice or count before their commit";
    private static final String ENDS = "Strake decides what becomes of a record that cannot be read or written";
    private static final String FORM = "keys, values and places of records are those of Strake's topics and stores";
    private static final String SIGHT = "an interceptor sees all documents, and may change records";
    private static final String CLUSTER =
            "topics, changelogs and positions belong to one cluster; a client that works with another one reads the state"
                    + " of that, or none";
    private static final String STATE = "a changelog is the only copy of the state, and must not lose entries";

    private final Map<String, Rule> ofClients = new TreeMap<>();
    private final Map<String, Rule> ofChangelogs = new TreeMap<>();

    /** What a value has to be, in words, or nothing if there is none to choose; and why. */
    private record Rule(Predicate<String> fits, String remedy, String why) {}

    /**
     * @param bootstrapServers where all clients find the cluster
     */
    ReservedSettings(String bootstrapServers) {
        ofClients.put(
                "bootstrap.servers",
                new Rule(
                        bootstrapServers.trim()::equals, "Remove it: --bootstrap-servers is for all clients", CLUSTER));
        none(ofClients, CLUSTER, "Remove it, and give brokers with --bootstrap-servers", "bootstrap.controllers");
        only("processing.guarantee", "exactly_once_v2", ONCE);
        only("isolation.level", "read_committed", ONCE);
        only("enable.idempotence", "true", ONCE);
        only("enable.auto.commit", "false", ONCE);
        only("auto.offset.reset", "earliest", ONCE);
        only("transaction.two.phase.commit.enable", "false", ONCE);
        only("check.crcs", "true", ONCE);
        only("allow.auto.create.topics", "false", FORM);
        only("topology.optimization", "none", FORM);
        only("ensure.explicit.internal.resource.naming", "true", FORM);
        only("enable.transactional.statestores", "false", FORM);
        none(ofClients, FORM, "Remove it", "default.interactive.query.isolation.level");
        only("exclude.internal.topics", "true", FORM);
        ofClients.put("acks", new Rule(value -> value.equals("all") || value.equals("-1"), "Make it 'all'", ONCE));
        ofClients.put(
                "max.in.flight.requests.per.connection",
                new Rule(value -> value.matches("[1-5]"), "Make it 5 or less", ONCE));
        ofClients.put("retries", new Rule(value -> !value.matches("[-+]?0*"), "Make it 1 or more", ONCE));
        none(ofClients, ONCE, "Remove it", "transactional.id", "internal.throw.on.fetch.stable.offset.unsupported");
        instead("application.id", "strake.application-id");
        instead("group.id", "strake.application-id");
        instead("num.stream.threads", "strake.threads");
        instead("application.server", "strake.http.advertised");
        instead("state.dir", "strake.data");
        instead("replication.factor", "strake.replication-factor");
        for (String handler : List.of("deserialization", "production")) {
            none(ofClients, ENDS, "Remove it", handler + ".exception.handler");
            none(ofClients, ENDS, "Remove it", "default." + handler + ".exception.handler");
        }
        none(ofClients, ENDS, "Remove it", "processing.exception.handler");
        none(ofClients, ENDS, "Remove it", "processing.exception.handler.global.enabled");
        none(ofClients, ENDS, "Remove it", "errors.dead.letter.queue.topic.name", "max.request.size");
        none(ofClients, FORM, "Remove it", "key.serializer", "value.serializer", "key.deserializer");
        none(ofClients, FORM, "Remove it", "value.deserializer", "partitioner.class", "partitioner.ignore.keys");
        none(ofClients, FORM, "Remove it", "partition.assignment.strategy", "group.remote.assignor");
        none(ofClients, FORM, "Remove it", "processor.wrapper.class", "default.timestamp.extractor");
        none(ofClients, FORM, "Remove it", "default.key.serde", "default.value.serde", "rocksdb.config.setter");
        none(ofClients, FORM, "Remove it", "default.dsl.store", "dsl.store.suppliers.class", "dsl.store.format");
        none(ofClients, SIGHT, "Remove it", "interceptor.classes");

        ofChangelogs.put("cleanup.policy", new Rule("compact"::equals, "Make it 'compact'", STATE));
        for (String name : List.of("unclean.leader.election.enable", "remote.storage.enable")) {
            ofChangelogs.put(name, new Rule("false"::equals, "Make it 'false'", STATE));
        }
        none(ofChangelogs, STATE, "Remove it", "retention.ms", "retention.bytes", "delete.retention.ms");
        none(ofChangelogs, STATE, "Remove it", "local.retention.ms", "local.retention.bytes", "max.message.bytes");
        none(ofChangelogs, STATE, "Remove it", "message.timestamp.before.max.ms", "message.timestamp.after.max.ms");
        none(ofChangelogs, STATE, "Remove it", "compression.type", "max.decompressed.message.bytes");
    }

    /**
     * Refuses what is not open.
     *
     * @throws InvalidSettingException if there is such a setting; the message lists all of them, where each was given, why
     *     it is refused and what to do
     */
    void check(Map<String, Given> given) {
        List<String> refused = new ArrayList<>();
        new TreeMap<>(given).forEach((name, value) -> {
            Rule rule = rule(name);
            if (rule != null && !rule.fits().test(value.text().trim())) {
                refused.add("%s (%s): %s. %s.".formatted(name, value.origin(), rule.why(), rule.remedy()));
            }
        });
        if (!refused.isEmpty()) {
            throw new InvalidSettingException(
                    "These settings of Kafka are not open:\n  " + String.join("\n  ", refused));
        }
    }

    private Rule rule(String name) {
        return name.startsWith(OF_CHANGELOGS)
                ? ofChangelogs.get(name.substring(OF_CHANGELOGS.length()))
                : ofClients.get(bare(name));
    }

    /** Whether there is a rule for a setting; nothing else is asked of one that is open. */
    boolean knows(String name) {
        return rule(name) != null;
    }

    /** A name without the prefix that says for which kind of client it is. */
    static String bare(String name) {
        return KafkaSettings.PREFIXES.stream()
                .filter(name::startsWith)
                .findFirst()
                .map(prefix -> name.substring(prefix.length()))
                .orElse(name);
    }

    private void only(String name, String value, String why) {
        ofClients.put(name, new Rule(given -> given.equalsIgnoreCase(value), "Make it '" + value + "'", why));
    }

    private void instead(String name, String setting) {
        none(ofClients, "Strake has a setting of its own for it", "Use " + setting + " in its place", name);
    }

    private static void none(Map<String, Rule> rules, String why, String remedy, String... names) {
        for (String name : names) {
            rules.put(name, new Rule(value -> false, remedy, why));
        }
    }
}
