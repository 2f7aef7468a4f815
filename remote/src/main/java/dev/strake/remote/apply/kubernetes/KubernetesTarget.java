package dev.strake.remote.apply.kubernetes;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.ApplyTarget;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.DocumentResult.Status;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.kubernetes.Discovery.Resource;
import dev.strake.remote.apply.kubernetes.ObjectWork.Done;
import dev.strake.remote.object.ObjectIdentity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
 * A Kubernetes cluster. Documents are applied in rounds. A round handles the changes of a revision, objects that are
 * due for a retry and, at intervals, all objects to detect drift. It proceeds in waves, and the inventory names each
 * object before the object is created. Therefore the applier may be stopped between any two requests.
 */
public final class KubernetesTarget implements ApplyTarget {

    private static final int SIDE_BY_SIDE = 8;

    private final Options options;
    private final Discovery discovery;
    private final ClusterConfig config;
    private final Inventory inventory;
    private final ObjectWork work;
    private final Users users;
    private final ObjectRemovals removals;
    private final DocumentResult.Listener results;
    private final ExecutorService workers = Executors.newFixedThreadPool(SIDE_BY_SIDE, KubernetesTarget::daemon);

    private final WantedObjects wanted = new WantedObjects();
    private boolean isLocked;
    private boolean looksAtAll;
    private long revision;
    private long nextLook;

    /**
     * How a cluster is treated.
     *
     * @param namespace the default namespace of objects, and the one of the inventory and of {@code razeedeploy-config}
     * @param drift how changes by others are handled
     * @param defaultUser the user to impersonate for objects that come from no RemoteResource, if impersonation is on
     * @param text converts an object to text for display
     */
    public record Options(
            String workspace,
            String namespace,
            RemovalRule rule,
            boolean dryRun,
            Drift drift,
            String defaultUser,
            Function<Value, String> text) {}

    /**
     * How changes by others are handled.
     *
     * @param isCorrected whether drift is corrected or only reported
     * @param lookEvery the interval at which all objects are read
     */
    public record Drift(boolean isCorrected, Duration lookEvery) {}

    private static final String LOCKED = "the cluster is locked by lock-cluster in the ConfigMap razeedeploy-config";

    /** Creates a target. Sends no request before the first step. The caller closes the connection. */
    public KubernetesTarget(ApiServer server, Options options, DocumentResult.Listener results) {
        this.options = options;
        this.results = options.dryRun() ? DocumentResult.Listener.NONE : results;
        this.discovery = new Discovery(server);
        this.config = new ClusterConfig(server, options.namespace());
        this.inventory = new Inventory(server, options.namespace(), options.workspace());
        this.work = new ObjectWork(
                server, inventory.path(), options.dryRun(), options.drift().isCorrected());
        this.users = new Users(options.defaultUser());
        this.removals = new ObjectRemovals(options, discovery, config, inventory, work);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "strake-apply");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException {
        revision = update.published();
        boolean isRevision = update.kind() == RenderedUpdate.Kind.REVISION;
        if (!isRevision) {
            inventory.read(); // first: if this fails, the wanted objects stay as they were
            work.forget();
            wanted.beginAnew(update.outcome().isPresent());
            looksAtAll = true;
        }
        update.removed().forEach(wanted::remove);
        Set<DocumentKey> applied = inventory.entries().values().stream()
                .map(Inventory.Entry::document)
                .collect(Collectors.toSet());
        update.put().forEach((key, record) -> {
            wanted.remove(key);
            Desired.of(record, applied.contains(key)).ifPresent(wanted::put);
        });
        if (users.take(update)) {
            wanted.allAreDue(); // documents may have to be applied as another user now
        }
        return round();
    }

    @Override
    public Optional<Applied> idle() throws IOException {
        if (options.dryRun() || (wanted.isEmpty() && inventory.entries().isEmpty())) {
            return Optional.empty();
        }
        if (System.nanoTime() - nextLook >= 0 && !isLocked) {
            wanted.allAreDue();
            looksAtAll = true;
        }
        wanted.retriesAreDue();
        if (!wanted.isAnythingDue() && !removals.isDue() && !isLocked) {
            return Optional.empty();
        }
        boolean wasLocked = isLocked;
        int before = unfinished();
        Applied applied = round();
        boolean isNews = !applied.changes().isEmpty() || wasLocked != isLocked || unfinished() < before;
        return isNews ? Optional.of(applied) : Optional.empty();
    }

    private int unfinished() {
        return wanted.failing() + removals.unfinished();
    }

    @Override
    public boolean isSettled() {
        return options.dryRun() || (!wanted.isAnythingDue() && unfinished() == 0);
    }

    private Applied round() throws IOException {
        ClusterConfig.Settings settings = config.now();
        isLocked = settings.isLocked();
        if (isLocked) {
            wanted.due().forEach(document -> tell(document, Status.HELD, LOCKED));
            return new Applied(revision, Applied.Status.HELD, List.of(), 0, LOCKED);
        }
        Round round = new Round(settings.impersonates(), looksAtAll);
        round.apply();
        String remark = removals.remove(wanted, settings.impersonates(), round.changes, results);
        if (looksAtAll) {
            nextLook = System.nanoTime() + options.drift().lookEvery().toNanos();
            looksAtAll = false;
        }
        return new Applied(
                revision,
                options.dryRun() ? Applied.Status.PLANNED : Applied.Status.APPLIED,
                round.changes.all(),
                round.unchanged,
                remark);
    }

    private void tell(Desired document, Status status, String reason) {
        String object = wanted.identity(document).map(ObjectIdentity::toString).orElse("");
        results.became(new DocumentResult(document.key(), object, document.revision(), status, reason));
    }

    /** A document with its object and resource in the cluster. */
    private record Job(Desired document, ObjectIdentity identity, Resource resource, String user) {}

    /** One pass over all documents that are due. */
    private final class Round {

        private final boolean impersonates;
        private final boolean looks;
        private final Changes changes = new Changes(options);
        private int unchanged;

        Round(boolean impersonates, boolean looks) {
            this.impersonates = impersonates;
            this.looks = looks;
        }

        void apply() throws IOException {
            SortedMap<Integer, List<Desired>> waves = new TreeMap<>();
            for (Desired document : wanted.due()) {
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

        /* Determines user and object of each document before any request is sent for it. */
        private List<Job> jobs(List<Desired> wave) throws IOException {
            Map<ObjectIdentity, DocumentKey> claims = wanted.claims();
            List<Job> jobs = new ArrayList<>();
            for (Desired document : wave) {
                try {
                    // a dry run creates no definition, so its resource is derived from the document
                    Optional<Resource> resource = discovery
                            .find(document.apiVersion(), document.identity().kind())
                            .or(() -> options.dryRun() ? wanted.defined(document) : Optional.empty());
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
                    wanted.place(document, identity);
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

        /* Checks the lock again, because the owner of the cluster may set it during a long round. */
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
            wanted.done(document);
            if (done.kind() == null) {
                unchanged++;
                tell(document, Status.APPLIED, "");
                return;
            }
            changes.add(job.identity(), done, document.isSecret());
            switch (done.kind()) {
                case FOREIGN, HELD -> tell(document, Status.HELD, done.reason());
                case DRIFTED -> tell(document, Status.DRIFTED, "others changed the object, and it was restored");
                case RESTORE -> {
                    tell(document, Status.DRIFTED, "somebody changed the object; it was put right");
                    tell(document, Status.APPLIED, "");
                }
                case CREATE, REPLACE, REMOVE, FAILED, OMITTED -> tell(document, Status.APPLIED, "");
            }
        }

        private void failed(Desired document, String reason, Duration atLeast) {
            wanted.failed(document, atLeast);
            String object = wanted.identity(document)
                    .map(ObjectIdentity::toString)
                    .orElse(document.key().toString());
            changes.nothing(object, Kind.FAILED, reason);
            tell(document, Status.FAILED, reason);
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
