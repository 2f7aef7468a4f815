package dev.strake.checks.chaos;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A workspace with a parent, its child and an unrelated document. The first two get into trouble and recover, the child
 * twice, while the third one keeps changing. There is a change of each status while the trouble lasts.
 */
final class TroubleStory {

    static final String WORKSPACE = "trouble";

    private TroubleStory() {}

    static List<ProducerRecord<byte[], byte[]>> changes() {
        return List.of(
                put(1, POLICY + "," + parent("parent", 1, false) + "," + CHILD + "," + other(1)),
                put(2, parent("parent", 2, true)), // fails, and its child with it
                put(3, parent("parent", 2, true)), // unchanged
                put(3, parent("parent", 2, true)), // duplicate
                put(4, "{}"), // rejected
                part(5, other(2)), // pending
                put(6, other(3)), // fails for the same reason as before
                put(7, parent("parent", 3, false)), // everything renders
                put(8, parent("rival", 1, false)), // the child has two possible parents
                put(9, other(4)),
                record(10, ChangeType.DOCUMENTS_DELETE, "[%s]".formatted(ID_OF_RIVAL)),
                put(11, other(5)));
    }

    /** A document in a workspace without a layering policy. */
    static ProducerRecord<byte[], byte[]> withoutPolicy() {
        return put(1, other(1));
    }

    private static final String POLICY = """
            {"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},\
            "data":{"layerOrder":["global","site"]}}""";

    private static final String CHILD = """
            {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"child",\
            "storagePolicy":"cleartext","layeringDefinition":{"layer":"site","parentSelector":{"family":"f"},\
            "actions":[{"method":"merge","path":"."}]}},"data":{"own":1}}""";

    private static final String ID_OF_RIVAL = """
            {"schema":"chaos/Thing/v1","layer":"global","name":"rival"}""";

    private static String parent(String name, int value, boolean isBroken) {
        String substitutions = isBroken ? """
                "substitutions":[{"src":{"schema":"chaos/Thing/v1","name":"nobody","path":".value"},\
                "dest":{"path":".from"}}],""" : "";
        return """
                {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"%s",\
                "storagePolicy":"cleartext","labels":{"family":"f"},%s\
                "layeringDefinition":{"layer":"global"}},"data":{"value":%d}}""".formatted(name, substitutions, value);
    }

    private static String other(int value) {
        return """
                {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"other",\
                "storagePolicy":"cleartext","layeringDefinition":{"layer":"site"}},\
                "data":{"first":%d,"second":{"b":%d,"a":%d}}}""".formatted(value, value, value);
    }

    private static ProducerRecord<byte[], byte[]> put(int id, String documents) {
        return record(id, ChangeType.DOCUMENTS_PUT, "[%s]".formatted(documents));
    }

    private static ProducerRecord<byte[], byte[]> part(int id, String documents) {
        ProducerRecord<byte[], byte[]> record = put(id, documents);
        record.headers().add(HeaderNames.PART, bytes("1/2"));
        return record;
    }

    private static ProducerRecord<byte[], byte[]> record(int id, ChangeType type, String text) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("strake." + TopicNames.CHANGES, bytes(WORKSPACE), bytes(text));
        record.headers().add(HeaderNames.CE_ID, bytes("trouble-" + id));
        record.headers().add(HeaderNames.CE_TYPE, bytes(type.text()));
        return record;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
