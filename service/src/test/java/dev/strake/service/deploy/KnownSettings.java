package dev.strake.service.deploy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The environment variables that {@code serve} reads, beside {@code KAFKA_*}. The one list to which deploy/ is held. */
final class KnownSettings {

    private static final List<String> NAMES = List.of(
            "strake.application-id",
            "strake.instance-id",
            "strake.data",
            "strake.http.host",
            "strake.http.port",
            "strake.http.advertised",
            "strake.topic-prefix",
            "strake.partitions",
            "strake.replication-factor",
            "strake.threads",
            "strake.standby-replicas",
            "strake.on-problem",
            "strake.history.revisions",
            "strake.history.age",
            "strake.incomplete-after",
            "strake.forget-changes-after",
            "strake.idle-after",
            "strake.cache-bytes");

    private KnownSettings() {}

    static Set<String> variables() {
        return NAMES.stream()
                .map(name -> name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'))
                .collect(Collectors.toSet());
    }
}
