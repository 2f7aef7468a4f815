package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.remote.apply.patch.ApplyMode;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.remote.object.ObjectIdentity;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.Optional;
import java.util.Set;

/**
 * A document that is to become an object in the cluster.
 *
 * @param object the object; null if there is an objection
 * @param identity the identity that the object states; null if there is an objection
 * @param isSecret whether the content must not be shown
 * @param objection why the document cannot be applied to any cluster; empty if it can
 */
record Desired(
        DocumentKey key,
        long revision,
        String bucket,
        MapValue object,
        ObjectIdentity identity,
        boolean isSecret,
        String objection) {

    private static final Set<String> LAST =
            Set.of("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService");

    /**
     * Converts a record; empty if its document is no object.
     *
     * @param wasApplied whether the document was applied as an object before. If so, its object is kept even if the
     *     document cannot be read now
     */
    static Optional<Desired> of(RenderedRecord record, boolean wasApplied) {
        DocumentKey key = record.key().document();
        MapValue document = record.document().orElseThrow();
        if (record.isEncrypted()) {
            return wasApplied
                            || key.schema().equals(ObjectDocument.SCHEMA)
                            || ObjectDocument.object(document).isPresent()
                    ? Optional.of(refused(record, "its data is sealed, and an applier needs clear text"))
                    : Optional.empty();
        }
        Optional<MapValue> data = ObjectDocument.object(document);
        if (data.isEmpty()) {
            return key.schema().equals(ObjectDocument.SCHEMA)
                    ? Optional.of(refused(record, "its data is not a Kubernetes object"))
                    : Optional.empty();
        }
        MapValue object = data.get();
        Place mask = Redaction.maskIn(object);
        if (mask != null) {
            return Optional.of(refused(
                    record,
                    "there is a mask instead of a value at %s: secrets are published redacted".formatted(mask)));
        }
        try {
            ObjectIdentity identity = ObjectIdentity.of(object);
            boolean isSecret = record.headers().secret()
                    || (identity.group().isEmpty() && identity.kind().equals("Secret"));
            return Optional.of(new Desired(
                    key, record.headers().revision(), record.headers().bucket(), object, identity, isSecret, ""));
        } catch (InvalidPatchException e) {
            return Optional.of(refused(record, e.getMessage() + " (data" + e.place() + ")"));
        }
    }

    private static Desired refused(RenderedRecord record, String objection) {
        return new Desired(
                record.key().document(),
                record.headers().revision(),
                record.headers().bucket(),
                null,
                null,
                true,
                objection);
    }

    boolean isRefused() {
        return !objection.isEmpty();
    }

    String apiVersion() {
        return object.text("apiVersion");
    }

    ApplyMode mode() {
        return ApplyMode.of(object);
    }

    Reconcile reconcile() {
        return Reconcile.of(object).orElse(Reconcile.TRUE);
    }

    /** Returns the wave of an object. Lower waves are applied first and removed last. */
    static int wave(ObjectIdentity identity) {
        if (identity.kind().equals("Namespace")) {
            return 0;
        }
        if (identity.kind().equals("CustomResourceDefinition")) {
            return 1;
        }
        return LAST.contains(identity.kind()) ? 3 : 2;
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return key.toString();
    }
}
