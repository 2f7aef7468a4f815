package dev.strake.remote.apply;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.RenderedUpdate;
import dev.strake.client.Subscription;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows a workspace and applies each revision to a target. A step that fails is retried: applying a step is
 * idempotent.
 *
 * @param prefix the prefix of the topics' names
 * @param patience the timeout for each answer of the cluster
 * @param keys keys that open secret documents which are published encrypted; empty if there are none
 */
public record Applier(
        Cluster cluster, String prefix, String workspace, Duration patience, Optional<SealedData.Open> keys) {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** Receives a notification for each step. */
    public interface Listener {

        /** A step was applied or held. */
        void applied(Applied applied);

        /** A step failed and is retried after a pause. */
        void failed(Exception reason, Duration pause);
    }

    /**
     * Brings the target to the current documents.
     *
     * @throws KafkaUnavailableException if the documents cannot be read in time
     */
    public Applied once(ApplyTarget target) throws IOException {
        try (Subscription subscription = Subscription.open(cluster, prefix, workspace, patience)) {
            RenderedUpdate whole = subscription
                    .next(patience)
                    .orElseThrow(() -> new KafkaUnavailableException(
                            "The rendered documents of %s could not be read within %d s. Check that 'strake up' or 'strake serve' runs."
                                    .formatted(workspace, patience.toSeconds())));
            return settled(target, target.apply(usable(whole, target), subscription.checkpoint()));
        } catch (OutOfStepException e) {
            throw new IllegalStateException("a set as a whole fits always", e);
        }
    }

    private Applied settled(ApplyTarget target, Applied first) throws IOException {
        Applied last = first;
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!target.isSettled() && System.nanoTime() < deadline) {
                Thread.sleep(IDLE.toMillis());
                last = target.idle().map(last::then).orElse(last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return last;
    }

    /** Follows the workspace until the thread is interrupted. */
    public void follow(ApplyTarget target, Listener listener) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        boolean goesOn = true;
        while (true) {
            boolean[] hasApplied = {false};
            try {
                follow(target, goesOn, applied -> {
                    hasApplied[0] = true;
                    listener.applied(applied);
                });
                goesOn = false; // held or out of step: start with the full set
                continue;
            } catch (IOException | KafkaUnavailableException e) {
                pause = hasApplied[0] ? FIRST_PAUSE : pause;
                listener.failed(e, pause);
            }
            goesOn = true; // the checkpoint that the target kept is older than the failure
            Thread.sleep(pause.toMillis());
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /* Returns when the target needs the full set. */
    private void follow(ApplyTarget target, boolean goesOn, Consumer<Applied> applied) throws IOException {
        try (Subscription subscription = subscribe(target, goesOn)) {
            boolean isBehind = false;
            while (true) {
                Optional<RenderedUpdate> update = subscription.next(POLL);
                if (update.isPresent()) {
                    if (isBehind) {
                        return;
                    }
                    Applied step = target.apply(usable(update.get(), target), subscription.checkpoint());
                    applied.accept(step);
                    isBehind = step.status() == Applied.Status.HELD;
                } else {
                    target.idle().ifPresent(applied);
                }
            }
        } catch (OutOfStepException e) {
            return;
        }
    }

    private RenderedUpdate usable(RenderedUpdate update, ApplyTarget target) throws UnusableSecretsException {
        return target.takesSecrets() ? usable(update, keys) : update;
    }

    /* Rejects masks, references and ciphertexts: none of them may replace the value of a secret. */
    static RenderedUpdate usable(RenderedUpdate update, Optional<SealedData.Open> keys)
            throws UnusableSecretsException {
        RenderedUpdate opened = update;
        if (keys.isPresent()) {
            try {
                opened = update.opened(keys.get());
            } catch (SecretKeyNotFoundException | DoesNotOpenException e) {
                throw new UnusableSecretsException("A secret cannot be decrypted: " + e.getMessage() + ".", e);
            }
        }
        for (Map.Entry<DocumentKey, RenderedRecord> each : opened.put().entrySet()) {
            String name = each.getKey().schema() + "/" + each.getKey().name();
            if (each.getValue().isRedacted()) {
                throw new UnusableSecretsException(
                        "%s has secrets that are published without their values, and cannot be applied. Publish secrets encrypted (strake.secrets.output), and give --secrets-keyset."
                                .formatted(name));
            }
            if (keys.isEmpty() && each.getValue().isEncrypted()) {
                throw new UnusableSecretsException(
                        "%s has secrets, published encrypted: give --secrets-keyset.".formatted(name));
            }
        }
        return opened;
    }

    private Subscription subscribe(ApplyTarget target, boolean goesOn) throws IOException {
        var checkpoint = goesOn ? target.checkpoint() : Optional.<dev.strake.client.Checkpoint>empty();
        return checkpoint.isPresent()
                ? Subscription.resume(cluster, prefix, checkpoint.get(), patience)
                : Subscription.open(cluster, prefix, workspace, patience);
    }
}
