package dev.strake.checks.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.strake.cli.local.DeployedFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The permissions of the example users as ACLs of Kafka: from Strimzi's resources, and from acls.sh. */
final class Acls {

    private Acls() {}

    /** The permissions in {@code strimzi/users.yaml}, by the name of the user. */
    static Map<String, Set<AclBinding>> ofStrimzi() throws IOException {
        Map<String, Set<AclBinding>> users = new TreeMap<>();
        for (JsonNode user : DeployedFiles.yaml(DeployedFiles.DEPLOY.resolve("strimzi/users.yaml"))) {
            String name = user.at("/metadata/name").asText();
            for (JsonNode rule : user.at("/spec/authorization/acls")) {
                ResourcePattern resource = new ResourcePattern(
                        ResourceType.fromString(
                                constant(rule.at("/resource/type").asText())),
                        rule.at("/resource/name").asText(),
                        rule.at("/resource/patternType").asText().equals("prefix")
                                ? PatternType.PREFIXED
                                : PatternType.LITERAL);
                rule.get("operations")
                        .forEach(operation -> of(users, name)
                                .add(allow(name, resource, AclOperation.fromString(constant(operation.asText())))));
            }
        }
        return users;
    }

    /** The permissions granted by the commands {@code kafka-acls.sh … --add …} in a text, by the name of the user. */
    static Map<String, Set<AclBinding>> ofCommands(String text) {
        Map<String, Set<AclBinding>> users = new TreeMap<>();
        text.replace("\\\n", " ")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("kafka-acls.sh"))
                .forEach(line -> {
                    Map<String, List<String>> options = options(line);
                    String name = options.get("--allow-principal").get(0).replaceFirst("^User:", "");
                    PatternType pattern =
                            options.containsKey("--resource-pattern-type") ? PatternType.PREFIXED : PatternType.LITERAL;
                    Map.of(
                                    "--topic", ResourceType.TOPIC,
                                    "--group", ResourceType.GROUP,
                                    "--transactional-id", ResourceType.TRANSACTIONAL_ID)
                            .forEach((option, type) -> options.getOrDefault(option, List.of())
                                    .forEach(resource -> options.get("--operation")
                                            .forEach(operation -> of(users, name)
                                                    .add(allow(
                                                            name,
                                                            new ResourcePattern(type, resource, pattern),
                                                            AclOperation.fromString(constant(operation)))))));
                });
        return users;
    }

    private static Map<String, List<String>> options(String command) {
        Map<String, List<String>> options = new TreeMap<>();
        String option = "";
        for (String word : command.split(" +", -1)) {
            if (word.startsWith("--")) {
                option = word;
                options.computeIfAbsent(option, key -> new ArrayList<>());
            } else {
                options.computeIfAbsent(option, key -> new ArrayList<>()).add(word);
            }
        }
        return options;
    }

    private static AclBinding allow(String user, ResourcePattern resource, AclOperation operation) {
        return new AclBinding(
                resource, new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    private static Set<AclBinding> of(Map<String, Set<AclBinding>> users, String name) {
        return users.computeIfAbsent(name, key -> new TreeSet<>(Comparator.comparing(AclBinding::toString)));
    }

    /* transactionalId, DescribeConfigs: the constants of Kafka are TRANSACTIONAL_ID, DESCRIBE_CONFIGS. */
    private static String constant(String camelCase) {
        return camelCase.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }
}
