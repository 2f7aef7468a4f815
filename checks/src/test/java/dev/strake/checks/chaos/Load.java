package dev.strake.checks.chaos;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The random changes of a busy and careless publisher: edits of {@link Documents}, whole buckets, deletions, rollbacks,
 * tags, deleted workspaces, schemas that are added, tightened and removed, changes in parts, duplicates, swapped
 * neighbours, records in the wrong partition, dry runs, expected revisions, and one in twenty that is invalid.
 *
 * <p>Buckets: {@code main} and {@code spare}, the latter put as a whole; {@code operations}; {@code chain-0} and
 * {@code chain-1} with replacements; in some workspaces {@code family} and {@code schemas}.
 */
final class Load {

    private static final int SPARES = 5;
    private static final int REMEMBERED = 40;

    private final SplittableRandom random;
    private final Documents documents;
    private final Texts texts;
    private final String publisher;
    private final String topic;
    private final int workspaces;
    private final int children;
    private final int partitions;
    private final ToLongFunction<String> heads;
    private final Deque<ProducerRecord<byte[], byte[]>> ready = new ArrayDeque<>();
    private final List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();
    private int changes;

    /**
     * @param publisher part of all ids, so that two publishers never send the same ids
     * @param children in each workspace, without families
     * @param heads the last known revision of a workspace: rollbacks and tags refer to it or to a slightly earlier one;
     *     null if revisions are unknown
     */
    Load(
            long seed,
            String publisher,
            String prefix,
            int workspaces,
            int children,
            int partitions,
            ToLongFunction<String> heads) {
        this.random = new SplittableRandom(seed);
        this.documents = new Documents(random, children);
        this.texts = new Texts(random);
        this.publisher = publisher;
        this.topic = prefix + "document-changes";
        this.workspaces = workspaces;
        this.children = children;
        this.partitions = partitions;
        this.heads = heads;
    }

    /** Without known revisions: estimates one revision for each change of a workspace. */
    Load(long seed, String publisher, String prefix, int workspaces, int children, int partitions) {
        this(seed, publisher, prefix, workspaces, children, partitions, null);
    }

    /** The initial documents of all workspaces, sent once by one publisher before anything else. */
    List<ProducerRecord<byte[], byte[]>> beginning() {
        List<ProducerRecord<byte[], byte[]>> result = new ArrayList<>();
        for (int workspace = 0; workspace < workspaces; workspace++) {
            result.addAll(beginning("ws-" + workspace));
        }
        return result;
    }

    private List<ProducerRecord<byte[], byte[]>> beginning(String workspace) {
        List<ProducerRecord<byte[], byte[]>> result = new ArrayList<>();
        result.add(change(workspace, ChangeType.BUCKET_PUT, "main", texts.of(documents.beginning())));
        if (hasFamily(workspace)) {
            result.add(family(workspace));
        }
        return result;
    }

    /** The next record. */
    ProducerRecord<byte[], byte[]> next() {
        while (ready.isEmpty()) {
            think();
        }
        return ready.removeFirst();
    }

    private void think() {
        int dice = random.nextInt(100);
        if (dice < 5) {
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
        } else if (dice < 21 && random.nextBoolean()) {
            String workspace = workspace();
            ready.add(
                    random.nextBoolean()
                            ? change(workspace, ChangeType.WORKSPACE_DELETE, null, "")
                            : change(workspace, ChangeType.ROLLBACK, null, texts.of("{\"revision\":0}")));
            for (int i = random.nextInt(3); i > 0; i--) {
                ready.add(ordinary(workspace)); // of documents without a policy
            }
            ready.addAll(beginning(workspace));
        } else if (dice < 23) {
            ProducerRecord<byte[], byte[]> one = ordinary(workspace());
            ready.add(new ProducerRecord<>(
                    topic,
                    random.nextInt(partitions),
                    System.currentTimeMillis(),
                    one.key(),
                    one.value(),
                    one.headers()));
        } else if (dice < 27) {
            ready.add(onTerms(workspace()));
        } else {
            ready.add(ordinary(workspace()));
        }
    }

    /* A dry run, or a change with an expected revision, either a recent one or any other. */
    private ProducerRecord<byte[], byte[]> onTerms(String workspace) {
        return switch (random.nextInt(8)) {
            case 0 -> header(change(workspace, ChangeType.WORKSPACE_DELETE, null, ""), HeaderNames.DRY_RUN, "true");
            case 1, 2, 3 -> header(ordinary(workspace), HeaderNames.DRY_RUN, "true");
            default -> header(ordinary(workspace), HeaderNames.EXPECTED_REVISION, "" + revision(workspace));
        };
    }

    private String workspace() {
        return "ws-" + random.nextInt(workspaces);
    }

    private static boolean hasFamily(String workspace) {
        return Documents.hasFamily(Integer.parseInt(workspace.substring("ws-".length())));
    }

    private ProducerRecord<byte[], byte[]> ordinary(String workspace) {
        int dice = random.nextInt(100);
        if (hasFamily(workspace) && random.nextInt(4) == 0) {
            return ofFamily(workspace);
        } else if (dice < 42) {
            return put(workspace, "main", documents.child(random.nextInt(children)));
        } else if (dice < 48) {
            return put(
                    workspace,
                    "operations",
                    documents.operations(random.nextInt(Documents.OPERATIONS), hasFamily(workspace)));
        } else if (dice < 50) {
            return delete(workspace, "operations", "strake/Operations/v1", "site", "o-", Documents.OPERATIONS);
        } else if (dice < 53) {
            return put(workspace, "main", documents.base(random.nextInt(Documents.BASES)));
        } else if (dice < 63) {
            return put(workspace, "main", documents.parent(random.nextInt(Documents.GROUPS)));
        } else if (dice < 70) {
            return ofChain(workspace, random.nextInt(Documents.CHAINS));
        } else if (dice < 78) {
            List<String> some = IntStream.range(children, children + SPARES)
                    .filter(spare -> random.nextBoolean())
                    .mapToObj(documents::child)
                    .toList();
            return change(workspace, ChangeType.BUCKET_PUT, "spare", texts.of(some));
        } else if (dice < 86) {
            return delete(workspace, dice < 84 ? "main" : "spare", "chaos/Thing/v1", "site", "d-", children + SPARES);
        } else if (dice < 91) {
            return change(workspace, ChangeType.ROLLBACK, null, texts.of("{\"revision\":" + revision(workspace) + "}"));
        } else if (dice < 95) {
            String tag = "{\"revision\":%d,\"tag\":\"t-%d\"}".formatted(revision(workspace), random.nextInt(5));
            return change(workspace, dice == 94 ? ChangeType.UNTAG : ChangeType.TAG, null, texts.of(tag));
        }
        // Documents of another bucket: rejected if they exist there, accepted if not.
        return put(workspace, "spare", documents.child(random.nextInt(children)));
    }

    private ProducerRecord<byte[], byte[]> ofChain(String workspace, int chain) {
        return switch (random.nextInt(5)) {
            case 0 -> put(workspace, "main", documents.replaced(chain));
            case 1 -> put(workspace, "main", documents.heir(chain));
            case 2 -> {
                String layer = random.nextBoolean() ? "global" : "site";
                yield delete(workspace, "chain-" + chain, "chaos/Thing/v1", layer, "r-" + chain, 0);
            }
            default ->
                change(workspace, ChangeType.BUCKET_PUT, "chain-" + chain, texts.of(documents.replacements(chain)));
        };
    }

    /* Edits the parent of a family, one child, all children at once, or their schema. */
    private ProducerRecord<byte[], byte[]> ofFamily(String workspace) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> put(workspace, "family", documents.elder());
            case 3 -> family(workspace);
            case 4 -> put(workspace, "schemas", documents.schema(false));
            case 5 -> change(workspace, ChangeType.BUCKET_PUT, "schemas", "");
            default -> put(workspace, "family", documents.kin(random.nextInt(Documents.FAMILY)));
        };
    }

    private ProducerRecord<byte[], byte[]> family(String workspace) {
        List<String> all = new ArrayList<>(documents.elders());
        all.addAll(documents.kin());
        return change(workspace, ChangeType.BUCKET_PUT, "family", texts.of(all));
    }

    /*
     * Documents that cannot be rendered, some changes that depend on them, and the correction. All in the bucket that
     * is often put as a whole, so that the load recovers even if a rollback restores the mistake.
     */
    private void breakAndMend() {
        String workspace = workspace();
        int spare = children + random.nextInt(SPARES);
        boolean isOfSchema = hasFamily(workspace) && random.nextBoolean();
        ready.add(
                isOfSchema
                        ? put(workspace, "schemas", documents.schema(true))
                        : put(workspace, "spare", documents.brokenChild(spare)));
        for (int i = random.nextInt(4); i > 0; i--) {
            ready.add(ordinary(workspace));
        }
        ready.add(
                isOfSchema
                        ? put(workspace, "schemas", documents.schema(false))
                        : put(workspace, "spare", documents.child(spare)));
    }

    /* An existing or recent revision that is probably not pruned; sometimes an invalid one. */
    private long revision(String workspace) {
        long head = heads == null ? changes / workspaces : heads.applyAsLong(workspace);
        return Math.max(1, head - random.nextInt(random.nextInt(4) == 0 ? 60 : 8));
    }

    private void inParts() {
        String workspace = workspace();
        int parts = 2 + random.nextInt(2);
        String id = publisher + "-" + changes++;
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        int first = random.nextInt(children);
        for (int part = 1; part <= parts; part++) {
            String text = texts.of(documents.child((first + part) % children));
            all.add(record(workspace, ChangeType.DOCUMENTS_PUT, "main", text, id, part + "/" + parts));
            if (random.nextInt(3) == 0) {
                all.add(ordinary(workspace));
            }
        }
        if (random.nextBoolean()) {
            all.add(all.get(0)); // repeats a part after the others
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

    private ProducerRecord<byte[], byte[]> put(String workspace, String bucket, String document) {
        return change(workspace, ChangeType.DOCUMENTS_PUT, bucket, texts.of(document));
    }

    /* Deletes one of the documents with this prefix; for 0 the only one of this name. */
    private ProducerRecord<byte[], byte[]> delete(
            String workspace, String bucket, String schema, String layer, String name, int of) {
        String id = "[{\"schema\":\"%s\",\"layer\":\"%s\",\"name\":\"%s\"}]"
                .formatted(schema, layer, of == 0 ? name : name + random.nextInt(of));
        return change(workspace, ChangeType.DOCUMENTS_DELETE, bucket, texts.of(id));
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

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
