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
 * A document that is to be an object of the cluster.
 *
 * @param object null if there is an objection
 * @param identity as the object states it; null if there is an objection
 * @param isSecret whether nobody may see what is in it
 * @param objection why it cannot be applied, whatever the cluster says; empty if it can
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
     * What a record wants; empty if it is no object.
     *
     * @param wasApplied whether the document was an object before: then its object is not to be removed, even if nobody here can
     *     read the document now
     */
    static Optional<Desired> of(RenderedRecord record, boolean wasApplied) {
        DocumentKey key = record.key().document();
        MapValue document = record.document().orElseThrow();
        if (record.isEncrypted()) {
            return wasApplied
                            || key.schema().equals(ObjectDocument.SCHEMA)
                            || ObjectDocument.object(document).isPresent()
                    ? Optional.of(refused(record, "it has sealed data, and an applier takes clear text alone"))
                    : Optional.empty();
        }
        Optional<MapValue> data = ObjectDocument.object(document);
        if (data.isEmpty()) {
            return key.schema().equals(ObjectDocument.SCHEMA)
                    ? Optional.of(refused(record, "its data is no Kubernetes object"))
                    : Optional.empty();
        }
        MapValue object = data.get();
        Place mask = Redaction.maskIn(object);
        if (mask != null) {
            return Optional.of(refused(
                    record,
                    "there is a mask at %s in the place of a value: secrets are published redacted".formatted(mask)));
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

    /** Objects of a lower wave are applied before those of a higher one, and removed after them. */
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
