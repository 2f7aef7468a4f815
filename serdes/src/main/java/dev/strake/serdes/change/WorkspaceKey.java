package dev.strake.serdes.change;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;

/**
 * The key of changes and outcomes: the name of a workspace, {@code [A-Za-z0-9._-]{1,128}}. A record with any other key
 * belongs to no workspace: deserializing its key fails, and the handler of Kafka Streams makes the record a dead
 * letter.
 */
public final class WorkspaceKey implements Serializer<String>, Deserializer<String> {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,128}");

    /** The rule for names, in words. */
    public static final String RULE = "1 to 128 letters, digits, dots, underscores and dashes";

    /** Whether a workspace or a bucket can have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Returns the partition of a workspace, the same in every topic of the contract. The Java producer chooses this
     * partition for a record whose key is the workspace.
     */
    public static int partition(String workspace, int partitions) {
        return Utils.toPositive(Utils.murmur2(workspace.getBytes(StandardCharsets.UTF_8))) % partitions;
    }

    @Override
    public byte[] serialize(String topic, String workspace) {
        if (workspace == null || !isName(workspace)) {
            throw new SerializationException("the name of a workspace has to have " + RULE);
        }
        return workspace.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the workspace of a record.
     *
     * @throws SerializationException if the key is missing, or is not a valid name of a workspace
     */
    @Override
    public String deserialize(String topic, byte[] key) {
        if (key == null) {
            throw new SerializationException(
                    "a record of " + topic + " has no key; use the name of the workspace as its key");
        }
        // In any encoding, bytes above ASCII become characters that no name contains.
        String name = new String(key, StandardCharsets.ISO_8859_1);
        if (!isName(name)) {
            throw new SerializationException("the key of a record of " + topic + " (" + key.length
                    + " bytes) is not a workspace name, which has " + RULE);
        }
        return name;
    }

    @Override
    public void close() {
        // Nothing to close. Both interfaces have a default, so Java requires an implementation.
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        // Nothing to configure.
    }
}
