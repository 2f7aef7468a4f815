package dev.strake.chaos;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Changes as a busy and careless publisher sends them, by seed: layered documents with parents and substitutions, some as
 * they are already but for the order of their keys, whole buckets, deletions, rollbacks, tags, workspaces deleted,
 * changes in parts, duplicates, neighbours swapped, records in the wrong partition, and one in twenty that is plain
 * poison.
 *
 * <p>A workspace has parents in layer {@code global}, which take after one of two documents in layer {@code base}: what
 * stores do not hold, as it is worked out again, is what others are made of. Everything else is in layer {@code site}, takes
 * after a parent, and one in four substitutes a value from another one. Bucket {@code spare} is put as a whole; in bucket
 * {@code operations} are documents that operate on the others.
 */
final class Load {

    private static final int BASES = 2;
    private static final int GROUPS = 6;
    private static final int SPARES = 5;
    private static final int REMEMBERED = 40;

    /** Groups whose parent is not abstract, so that others can substitute from it. */
    private static final int[] CONCRETE = {1, 2, 4, 5};

    private final SplittableRandom random;
    private final String publisher;
    private final String topic;
    private final int workspaces;
    private final int documents;
    private final int partitions;
    private final Deque<ProducerRecord<byte[], byte[]>> ready = new ArrayDeque<>();
    private final List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();
    private int changes;
    private long poison;

    /**
     * @param publisher part of all ids, so that two publishers do not send the same ones
     * @param documents of each workspace, beside parents
     */
    public Load(long seed, String publisher, String prefix, int workspaces, int documents, int partitions) {
        this.random = new SplittableRandom(seed);
        this.publisher = publisher;
        this.topic = prefix + "document-changes";
        this.workspaces = workspaces;
        this.documents = documents;
        this.partitions = partitions;
    }

    /** The documents that all workspaces begin with: sent once, by one publisher, before anything else. */
    public List<ProducerRecord<byte[], byte[]>> beginning() {
        List<ProducerRecord<byte[], byte[]>> result = new ArrayList<>();
        for (int workspace = 0; workspace < workspaces; workspace++) {
            result.add(beginning("ws-" + workspace));
        }
        return result;
    }

    private ProducerRecord<byte[], byte[]> beginning(String workspace) {
        List<String> all = new ArrayList<>();
        all.add("""
                {"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},\
                "data":{"layerOrder":["base","global","site"]}}""");
        for (int base = 0; base < BASES; base++) {
            all.add(base(base));
        }
        for (int group = 0; group < GROUPS; group++) {
            all.add(parent(group));
        }
        for (int document = 0; document < documents; document++) {
            all.add(child(document, false));
        }
        return change(workspace, ChangeType.BUCKET_PUT, "main", list(all));
    }

    /** The next record. */
    public ProducerRecord<byte[], byte[]> next() {
        while (ready.isEmpty()) {
            think();
        }
        return ready.removeFirst();
    }

    /** How many records so far were no change at all. */
    public long poison() {
        return poison;
    }

    private void think() {
        int dice = random.nextInt(100);
        if (dice < 5) {
            poison++;
            ready.add(poisoned());
        } else if (dice < 9 && !sent.isEmpty()) {
            ready.add(sent.get(random.nextInt(sent.size())));
        } else if (dice < 12) {
            inParts();
        } else if (dice < 16) {
            String workspace = workspace();
            ProducerRecord<byte[], byte[]> one = ordinary(workspace);
            ready.add(ordinary(workspace));
            ready.add(one);
        } else if (dice < 20) {
            breakAndMend();
        } else if (dice < 21 && random.nextInt(3) == 0) {
            String workspace = workspace();
            ready.add(change(workspace, ChangeType.WORKSPACE_DELETE, null, ""));
            ready.add(beginning(workspace));
        } else if (dice < 23) {
            ProducerRecord<byte[], byte[]> one = ordinary(workspace());
            ready.add(new ProducerRecord<>(
                    topic,
                    random.nextInt(partitions),
                    System.currentTimeMillis(),
                    one.key(),
                    one.value(),
                    one.headers()));
        } else {
            ready.add(ordinary(workspace()));
        }
    }

    private String workspace() {
        return "ws-" + random.nextInt(workspaces);
    }

    private ProducerRecord<byte[], byte[]> ordinary(String workspace) {
        int dice = random.nextInt(100);
        if (dice < 48) {
            return change(workspace, ChangeType.DOCUMENTS_PUT, "main", child(random.nextInt(documents), false));
        } else if (dice < 55) {
            return change(workspace, ChangeType.DOCUMENTS_PUT, "operations", operations(random.nextInt(3)));
        } else if (dice < 58) {
            return change(workspace, ChangeType.DOCUMENTS_PUT, "main", base(random.nextInt(BASES)));
        } else if (dice < 70) {
            return change(workspace, ChangeType.DOCUMENTS_PUT, "main", parent(random.nextInt(GROUPS)));
        } else if (dice < 80) {
            List<String> some = new ArrayList<>();
            for (int spare = 0; spare < SPARES; spare++) {
                if (random.nextBoolean()) {
                    some.add(child(documents + spare, false));
                }
            }
            return change(workspace, ChangeType.BUCKET_PUT, "spare", list(some));
        } else if (dice < 88) {
            String ids = "[{\"schema\":\"chaos/Thing/v1\",\"layer\":\"site\",\"name\":\"d-%d\"}]"
                    .formatted(random.nextInt(documents + SPARES));
            return change(workspace, ChangeType.DOCUMENTS_DELETE, dice < 86 ? "main" : "spare", ids);
        } else if (dice < 92) {
            return change(workspace, ChangeType.ROLLBACK, null, "{\"revision\":" + revision() + "}");
        } else if (dice < 95) {
            String tag = "{\"revision\":%d,\"tag\":\"t-%d\"}".formatted(revision(), random.nextInt(5));
            return change(workspace, dice == 94 ? ChangeType.UNTAG : ChangeType.TAG, null, tag);
        }
        // What another bucket holds may not be put: rejected if it is there, and taken if it is not.
        return change(workspace, ChangeType.DOCUMENTS_PUT, "spare", child(random.nextInt(documents), false));
    }

    /* A document that cannot be rendered, some changes that have to wait for that, and the correction. */
    private void breakAndMend() {
        String workspace = workspace();
        int document = random.nextInt(documents);
        ready.add(change(workspace, ChangeType.DOCUMENTS_PUT, "main", child(document, true)));
        for (int i = random.nextInt(4); i > 0; i--) {
            ready.add(ordinary(workspace));
        }
        ready.add(change(workspace, ChangeType.DOCUMENTS_PUT, "main", child(document, false)));
    }

    /* Most of those asked for exist: a publisher has a share of the changes, and not all of them make a revision. */
    private int revision() {
        return Math.max(0, changes / workspaces - random.nextInt(60));
    }

    private void inParts() {
        String workspace = workspace();
        int parts = 2 + random.nextInt(2);
        String id = publisher + "-" + changes++;
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        int first = random.nextInt(documents);
        for (int part = 1; part <= parts; part++) {
            all.add(record(
                    workspace,
                    ChangeType.DOCUMENTS_PUT,
                    "main",
                    child((first + part) % documents, false),
                    id,
                    part + "/" + parts));
            if (random.nextInt(3) == 0) {
                all.add(ordinary(workspace));
            }
        }
        if (random.nextBoolean()) {
            all.add(all.get(0)); // a part that comes again, after the others
        }
        ready.addAll(all);
    }

    private ProducerRecord<byte[], byte[]> poisoned() {
        byte[] noise = new byte[1 + random.nextInt(300)];
        random.nextBytes(noise);
        ProducerRecord<byte[], byte[]> good = ordinary(workspace());
        return switch (random.nextInt(8)) {
            case 0 -> new ProducerRecord<>(topic, bytes(workspace()), noise);
            case 1 -> new ProducerRecord<>(topic, null, good.value());
            case 2 -> new ProducerRecord<>(topic, noise, good.value());
            case 3 -> change(workspace(), ChangeType.DOCUMENTS_PUT, "main", "{\"schema\": 12}");
            case 4 -> change(workspace(), ChangeType.ROLLBACK, null, "revision: [1");
            case 5 -> header(good, HeaderNames.CE_TYPE, "dev.strake.nothing");
            case 6 -> header(good, HeaderNames.PART, "5/2");
            default -> header(good, "noise", "x".repeat(100_000));
        };
    }

    private static ProducerRecord<byte[], byte[]> header(
            ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, bytes(value));
        return record;
    }

    /*
     * Of a few looks: many come as they are already, but with their keys in another order. By itself that is no change;
     * with another edition it is one, of a document whose data is the same to consumers and not to what is made of it.
     */
    private String base(int number) {
        int look = random.nextInt(3);
        return """
                {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"b-%d",\
                "storagePolicy":"cleartext","labels":{"base":"b-%d","edition":"%d"},\
                "layeringDefinition":{"layer":"base","abstract":true}},\
                "data":%s}""".formatted(number, number, random.nextInt(2), members("\"kind\":" + look, "\"zone\":" + look % 2));
    }

    private String parent(int group) {
        int look = random.nextInt(12);
        String level = members("\"a\":" + look % 4, "\"b\":\"%s\"".formatted("text ".repeat(look)));
        return """
                {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"g-%d",\
                "storagePolicy":"cleartext","labels":{"group":"g-%d","edition":"%d"},\
                "layeringDefinition":{"layer":"global","abstract":%b,"parentSelector":{"base":"b-%d"},\
                "actions":[{"method":"merge","path":"."}]}},\
                "data":%s}""".formatted(
                group,
                group,
                random.nextInt(2),
                group % 3 == 0,
                group % BASES,
                members("\"value\":" + look, "\"level\":" + level, "\"list\":[%d,%d]".formatted(look % 3, look % 5)));
    }

    /* The map of these members; to consumers their order is no difference, and what is made of it keeps it all the same. */
    private String members(String... members) {
        List<String> ordered = new ArrayList<>(List.of(members));
        if (random.nextBoolean()) {
            Collections.reverse(ordered);
        }
        return "{" + String.join(",", ordered) + "}";
    }

    private String child(int document, boolean isBroken) {
        int source = isBroken ? GROUPS : CONCRETE[document % CONCRETE.length];
        String substitutions = !isBroken && document % 4 != 0 ? "" : """
                "substitutions":[{"src":{"schema":"chaos/Thing/v1","name":"g-%d","path":".value"},\
                "dest":{"path":".from"}}],""".formatted(source);
        return """
                {"schema":"chaos/Thing/v1","metadata":{"schema":"metadata/Document/v1","name":"d-%d",\
                "storagePolicy":"cleartext",%s\
                "layeringDefinition":{"layer":"site","parentSelector":{"group":"g-%d"},\
                "actions":[{"method":"merge","path":"."}]}},"data":%s}""".formatted(
                        document,
                        substitutions,
                        document % GROUPS,
                        members("\"own\":" + random.nextInt(50), "\"level\":{\"a\":%d}".formatted(random.nextInt(3))));
    }

    /* Of one child, or of a parent and so of all that take after it. */
    private String operations(int number) {
        String target = random.nextInt(3) == 0
                ? "\"labels\":{\"group\":\"g-%d\"}".formatted(random.nextInt(GROUPS))
                : "\"name\":\"d-%d\"".formatted(random.nextInt(documents));
        return """
                {"schema":"strake/Operations/v1","metadata":{"schema":"metadata/Document/v1","name":"o-%d",\
                "storagePolicy":"cleartext","layeringDefinition":{"layer":"site"}},\
                "data":{"target":{"schema":"chaos/Thing/v1",%s},"order":%d,"operations":[\
                {"type":"replace","path":"/level?/made","value":%d},{"type":"remove","path":"/own?"}]}}""".formatted(number, target, random.nextInt(3), random.nextInt(4));
    }

    private ProducerRecord<byte[], byte[]> change(String workspace, ChangeType type, String bucket, String text) {
        ProducerRecord<byte[], byte[]> record =
                record(workspace, type, bucket, text, publisher + "-" + changes++, null);
        if (sent.size() < REMEMBERED) {
            sent.add(record);
        } else {
            sent.set(random.nextInt(REMEMBERED), record);
        }
        return record;
    }

    private ProducerRecord<byte[], byte[]> record(
            String workspace, ChangeType type, String bucket, String text, String id, String part) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic,
                WorkspaceKey.partition(workspace, partitions),
                System.currentTimeMillis(),
                bytes(workspace),
                bytes(text));
        header(record, HeaderNames.CE_ID, id);
        header(record, HeaderNames.CE_TYPE, type.text());
        if (bucket != null) {
            header(record, HeaderNames.BUCKET, bucket);
        }
        return part == null ? record : header(record, HeaderNames.PART, part);
    }

    private static String list(List<String> documents) {
        return "[" + String.join(",", documents) + "]";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
