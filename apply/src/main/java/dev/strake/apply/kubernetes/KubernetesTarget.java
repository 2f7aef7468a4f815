package dev.strake.apply.kubernetes;

import dev.strake.apply.Applied;
import dev.strake.apply.Change;
import dev.strake.apply.Change.Kind;
import dev.strake.apply.DocumentResult;
import dev.strake.apply.DocumentResult.Status;
import dev.strake.apply.RemovalRule;
import dev.strake.apply.Target;
import dev.strake.apply.kubernetes.Discovery.Resource;
import dev.strake.apply.kubernetes.ObjectWork.Done;
import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.engine.apply.ObjectIdentity;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A Kubernetes cluster. Works in rounds: what a revision brought, what failed before and may be tried again, and now and then
 * everything, to see what others changed. A round goes wave by wave, and names in the cluster what it is about to make before
 * it makes it. So being stopped between any two requests does no harm.
 */
public final class KubernetesTarget implements Target {

    private static final int SIDE_BY_SIDE = 8;

    private final Options options;
    private final Discovery discovery;
    private final ClusterConfig config;
    private final Inventory inventory;
    private final ObjectWork work;
    private final Users users;
    private final DocumentResult.Listener results;
    private final ExecutorService workers = Executors.newFixedThreadPool(SIDE_BY_SIDE, KubernetesTarget::daemon);

    private final SortedMap<DocumentKey, Desired> desired = new TreeMap<>();
    private final Map<DocumentKey, ObjectIdentity> placed = new HashMap<>();
    private final Set<DocumentKey> due = new HashSet<>();
    private final Retries<DocumentKey> retries = new Retries<>();
    private final Retries<String> removalRetries = new Retries<>();
    private boolean isWhole;
    private boolean isLocked;
    private boolean looksAtAll;
    private long revision;
    private long nextLook;

    /**
     * How a cluster is to be treated.
     *
     * @param namespace of objects that name none, of the list of objects, and of {@code razeedeploy-config}
     * @param correctsDrift whether what somebody changed is put right, or only told
     * @param lookEvery how often all objects are read to see what others changed
     * @param defaultUser in whose name objects are applied that come from no RemoteResource, where impersonation is on
     * @param text of a tree, for somebody who wants to see it
     */
    public record Options(
            String workspace,
            String namespace,
            RemovalRule rule,
            boolean dryRun,
            boolean correctsDrift,
            Duration lookEvery,
            String defaultUser,
            Function<Value, String> text) {}

    private static final String REMOVALS = "removals";
    private static final String LOCKED = "the cluster is locked by lock-cluster in the ConfigMap razeedeploy-config";

    private KubernetesTarget(ApiServer server, Options options, DocumentResult.Listener results) {
        this.options = options;
        this.results = results;
        this.discovery = new Discovery(server);
        this.config = new ClusterConfig(server, options.namespace());
        this.inventory = new Inventory(server, options.namespace(), options.workspace());
        this.work = new ObjectWork(server, inventory.path(), options.dryRun(), options.correctsDrift());
        this.users = new Users(options.defaultUser());
    }

    /** A cluster. Nothing is sent before the first step. The connection is the caller's to close. */
    public static KubernetesTarget open(ApiServer server, Options options, DocumentResult.Listener results) {
        return new KubernetesTarget(server, options, results);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "strake-apply");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException {
        revision = update.revision();
        boolean isRevision = update.kind() == RenderedUpdate.Kind.REVISION;
        if (!isRevision) {
            desired.clear();
            placed.clear();
            due.clear();
            retries.clear();
            work.forget();
            inventory.read();
            isWhole = update.outcome().isPresent();
            looksAtAll = true;
        }
        update.removed().forEach(this::forget);
        Set<DocumentKey> applied = inventory.entries().values().stream()
                .map(Inventory.Entry::document)
                .collect(Collectors.toSet());
        update.put().forEach((key, record) -> {
            forget(key);
            Desired.of(record, applied.contains(key)).ifPresent(wanted -> {
                desired.put(key, wanted);
                due.add(key);
            });
        });
        if (users.take(update)) {
            due.addAll(desired.keySet()); // they may be somebody else's now
        }
        return round();
    }

    private void forget(DocumentKey key) {
        desired.remove(key);
        placed.remove(key);
        retries.done(key);
        due.remove(key);
    }

    @Override
    public Optional<Applied> idle() throws IOException {
        if (options.dryRun() || (desired.isEmpty() && inventory.entries().isEmpty())) {
            return Optional.empty();
        }
        if (System.nanoTime() - nextLook >= 0 && !isLocked) {
            due.addAll(desired.keySet());
            looksAtAll = true;
        }
        desired.keySet().stream().filter(retries::isDue).forEach(due::add);
        if (due.isEmpty() && !removalRetries.isDue(REMOVALS) && !isLocked) {
            return Optional.empty();
        }
        boolean wasLocked = isLocked;
        int before = unfinished();
        Applied applied = round();
        boolean isNews = !applied.changes().isEmpty() || wasLocked != isLocked || unfinished() < before;
        return isNews ? Optional.of(applied) : Optional.empty();
    }

    private int unfinished() {
        return retries.size() + removalRetries.size();
    }

    @Override
    public boolean isSettled() {
        return options.dryRun() || (due.isEmpty() && retries.isEmpty() && removalRetries.isEmpty());
    }

    private Applied round() throws IOException {
        ClusterConfig.Settings settings = config.now();
        isLocked = settings.isLocked();
        if (isLocked) {
            due.forEach(key -> tell(desired.get(key), Status.HELD, LOCKED));
            return new Applied(revision, Applied.Status.HELD, List.of(), 0, LOCKED);
        }
        Round round = new Round(settings.impersonates(), looksAtAll);
        round.apply();
        String remark = round.remove();
        if (looksAtAll) {
            nextLook = System.nanoTime() + options.lookEvery().toNanos();
            looksAtAll = false;
        }
        return new Applied(
                revision,
                options.dryRun() ? Applied.Status.PLANNED : Applied.Status.APPLIED,
                round.changes,
                round.unchanged,
                remark);
    }

    private void tell(Desired document, Status status, String reason) {
        if (!options.dryRun()) {
            ObjectIdentity identity = placed.getOrDefault(document.key(), document.identity());
            results.became(new DocumentResult(
                    document.key(), identity == null ? "" : identity.toString(), document.revision(), status, reason));
        }
    }

    /** One document in its place in the cluster. */
    private record Job(Desired document, ObjectIdentity identity, Resource resource, String user) {}

    /** What is done at one time. */
    private final class Round {

        private final boolean impersonates;
        private final boolean looks;
        private final List<Change> changes = new ArrayList<>();
        private int unchanged;

        Round(boolean impersonates, boolean looks) {
            this.impersonates = impersonates;
            this.looks = looks;
        }

        void apply() throws IOException {
            SortedMap<Integer, List<Desired>> waves = new TreeMap<>();
            for (DocumentKey key : List.copyOf(due)) {
                Desired document = desired.get(key);
                if (document.isRefused()) {
                    failed(document, document.objection(), Duration.ZERO);
                } else {
                    waves.computeIfAbsent(Desired.wave(document.identity()), wave -> new ArrayList<>())
                            .add(document);
                }
            }
            for (List<Desired> wave : waves.values()) {
                wave.sort(Comparator.comparing(Desired::key));
                List<Job> jobs = jobs(wave);
                announce(jobs);
                run(jobs);
            }
        }

        /* Whose request it is, and of which object, is known before anything is sent for it. */
        private List<Job> jobs(List<Desired> wave) throws IOException {
            Map<ObjectIdentity, DocumentKey> claims = new HashMap<>();
            placed.forEach((key, identity) -> claims.put(identity, key));
            List<Job> jobs = new ArrayList<>();
            for (Desired document : wave) {
                try {
                    Optional<Resource> resource = discovery
                            .find(document.apiVersion(), document.identity().kind())
                            .or(() -> promised(document));
                    if (resource.isEmpty()) {
                        failed(
                                document,
                                "the cluster has no kind %s in %s"
                                        .formatted(document.identity().kind(), document.apiVersion()),
                                Duration.ZERO);
                        continue;
                    }
                    ObjectIdentity identity = resource.get().placed(document.identity(), options.namespace());
                    DocumentKey first = claims.putIfAbsent(identity, document.key());
                    if (first != null && !first.equals(document.key())) {
                        failed(
                                document,
                                "%s comes from the document %s, too".formatted(identity, first),
                                Duration.ZERO);
                        continue;
                    }
                    placed.put(document.key(), identity);
                    String user = impersonates ? users.of(document.bucket()) : null;
                    jobs.add(new Job(document, identity, resource.get(), user));
                } catch (ApiFailure e) {
                    failed(document, e.told(document.isSecret()), e.retryAfter());
                } catch (Users.UnknownUserException e) {
                    failed(document, e.getMessage(), Duration.ZERO);
                }
            }
            return jobs;
        }

        /* In a dry run no definition is made, and what it defines would be there all the same. */
        private Optional<Resource> promised(Desired document) {
            return !options.dryRun()
                    ? Optional.empty()
                    : desired.values().stream()
                            .filter(each ->
                                    !each.isRefused() && each.identity().kind().equals("CustomResourceDefinition"))
                            .flatMap(each ->
                                    Discovery.defined(
                                            each.object(),
                                            document.apiVersion(),
                                            document.identity().kind())
                                            .stream())
                            .findFirst();
        }

        private void announce(List<Job> jobs) throws IOException {
            if (!options.dryRun()) {
                SortedMap<ObjectIdentity, Inventory.Entry> next = new TreeMap<>(inventory.entries());
                jobs.forEach(job -> next.put(
                        job.identity(),
                        new Inventory.Entry(
                                job.document().reconcile(), job.document().key(), job.user())));
                inventory.write(next);
            }
        }

        private void run(List<Job> jobs) throws IOException {
            List<Future<Done>> running = new ArrayList<>();
            for (Job job : jobs) {
                Callable<Done> applying = () -> applied(job);
                running.add(workers.submit(applying));
            }
            IOException unreachable = null;
            for (int i = 0; i < jobs.size(); i++) {
                try {
                    done(jobs.get(i), running.get(i).get());
                } catch (InterruptedException e) {
                    running.forEach(each -> each.cancel(true));
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while applying");
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof ApiFailure refused) {
                        Desired document = jobs.get(i).document();
                        failed(document, refused.told(document.isSecret()), refused.retryAfter());
                    } else if (e.getCause() instanceof IOException io) {
                        unreachable = io;
                    } else {
                        throw new IllegalStateException(
                                "applying " + jobs.get(i).identity(), e.getCause());
                    }
                }
            }
            if (unreachable != null) {
                throw unreachable;
            }
        }

        /* The owner of the cluster may lock it while a long round is under way. */
        private Done applied(Job job) throws IOException, ApiFailure {
            return config.now().isLocked()
                    ? Done.nothing(Kind.FAILED, LOCKED)
                    : work.apply(job.document(), job.identity(), job.resource(), job.user(), looks);
        }

        private void done(Job job, Done done) {
            Desired document = job.document();
            if (done.kind() == Kind.FAILED) {
                failed(document, done.reason(), Duration.ZERO);
                return;
            }
            due.remove(document.key());
            retries.done(document.key());
            if (done.kind() == null) {
                unchanged++;
                tell(document, Status.APPLIED, "");
                return;
            }
            changes.add(change(job.identity(), done, document.isSecret()));
            switch (done.kind()) {
                case FOREIGN, HELD -> tell(document, Status.HELD, done.reason());
                case DRIFTED -> tell(document, Status.DRIFTED, "somebody changed the object");
                case RESTORE -> {
                    tell(document, Status.DRIFTED, "somebody changed the object; it was put right");
                    tell(document, Status.APPLIED, "");
                }
                case CREATE, REPLACE, REMOVE, FAILED -> tell(document, Status.APPLIED, "");
            }
        }

        private void failed(Desired document, String reason, Duration atLeast) {
            due.remove(document.key());
            if (!document.isRefused()) { // whatever the cluster says, it stays refused
                retries.failed(document.key(), atLeast);
            }
            ObjectIdentity identity = placed.getOrDefault(document.key(), document.identity());
            changes.add(Change.nothing(
                    identity == null ? document.key().toString() : identity.toString(), Kind.FAILED, reason));
            tell(document, Status.FAILED, reason);
        }

        private Change change(ObjectIdentity identity, Done done, boolean isSecret) {
            return new Change(
                    identity.toString(),
                    done.kind(),
                    shown(done.before()),
                    shown(done.after()),
                    isSecret || (identity.group().isEmpty() && identity.kind().equals("Secret")),
                    done.reason());
        }

        private byte[] shown(MapValue object) {
            return object == null || !options.dryRun()
                    ? null
                    : options.text().apply(Live.shown(object)).getBytes(StandardCharsets.UTF_8);
        }

        /* Returns what is to be said about it. */
        String remove() throws IOException {
            Set<ObjectIdentity> wanted = new HashSet<>(placed.values());
            List<ObjectIdentity> left = new ArrayList<>(inventory.entries().keySet());
            left.removeIf(wanted::contains);
            if (left.isEmpty()) {
                removalRetries.done(REMOVALS);
                return "";
            }
            Optional<String> objection = objection(left);
            if (objection.isPresent()) {
                left.forEach(identity -> changes.add(Change.nothing(identity.toString(), Kind.HELD, objection.get())));
                removalRetries.done(REMOVALS);
                if (!retries.isEmpty()) {
                    removalRetries.failed(REMOVALS, Duration.ZERO); // when nothing fails any more
                }
                return objection.get();
            }
            left.sort(Comparator.<ObjectIdentity>comparingInt(Desired::wave)
                    .thenComparing(Comparator.naturalOrder())
                    .reversed());
            SortedMap<ObjectIdentity, Inventory.Entry> next = new TreeMap<>(inventory.entries());
            boolean isAllGone = true;
            try {
                for (ObjectIdentity identity : left) {
                    Inventory.Entry entry = next.get(identity);
                    if (removed(identity, entry)) {
                        next.remove(identity);
                        gone(entry);
                    } else {
                        isAllGone = false;
                    }
                }
            } finally {
                if (!options.dryRun()) {
                    inventory.write(next);
                }
            }
            removalRetries.done(REMOVALS);
            if (!isAllGone) {
                removalRetries.failed(REMOVALS, Duration.ZERO);
            }
            return "";
        }

        private void gone(Inventory.Entry entry) {
            if (!options.dryRun() && !desired.containsKey(entry.document())) {
                results.gone(entry.document());
            }
        }

        private Optional<String> objection(Collection<ObjectIdentity> left) {
            if (!isWhole) {
                return Optional.of(
                        "no outcome of the workspace is left to check its documents against, so nothing is removed");
            }
            long failing = retries.size()
                    + desired.values().stream().filter(Desired::isRefused).count();
            if (failing > 0) {
                return Optional.of("nothing is removed while %d documents fail".formatted(failing));
            }
            int held = inventory.entries().size();
            boolean isTooMuch = options.rule()
                    .limit()
                    .map(most -> left.size() > most.of(held))
                    .orElse(left.size() == held);
            return isTooMuch
                    ? Optional.of(
                            "%d of %d objects would be removed; if that is meant, start it again with --max-removals 100%%"
                                    .formatted(left.size(), held))
                    : Optional.empty();
        }

        /* Whether there is nothing left to do. */
        private boolean removed(ObjectIdentity identity, Inventory.Entry entry) throws IOException {
            if (config.now().isLocked()) {
                return false;
            }
            try {
                Optional<Resource> resource = discovery.find(identity);
                if (resource.isEmpty()) {
                    return true; // the kind is gone, and its objects with it
                }
                String user = impersonates ? entry.user() == null ? options.defaultUser() : entry.user() : null;
                Done done = work.remove(identity, entry, resource.get(), user);
                if (done.kind() != null) {
                    changes.add(change(identity, done, false));
                }
                return done.isGone();
            } catch (ApiFailure e) {
                changes.add(Change.nothing(identity.toString(), Kind.FAILED, e.told(true)));
                return false;
            }
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
