package dev.strake.engine.render;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;

/**
 * The settings for rendering workspaces, and the caches and threads that renderings share.
 *
 * @param holdDocuments whether a problem holds back only the documents concerned (true) or the whole revision (false)
 * @param schemas caches compiled schemas between changes
 * @param workers run inspections in parallel
 * @param reads caches the reads of owners between changes
 * @param form the form in which records with secrets are published
 * @param publishes whether records are published; if not, no JSON is created
 */
public record Renderer(
        boolean holdDocuments,
        RenderLimits limits,
        DataSchemas schemas,
        Workers workers,
        ReadCache reads,
        RecordForm form,
        boolean publishes) {

    /** A renderer that publishes records with secrets in clear text. */
    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas, Workers workers) {
        this(holdDocuments, limits, schemas, workers, new ReadCache(), RecordForm.CLEAR, true);
    }

    /** A renderer that works in the calling thread. */
    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas) {
        this(holdDocuments, limits, schemas, Workers.ONE);
    }

    /** Holds back whole revisions, with the limits of the contract. */
    public static Renderer holdingRevisions() {
        return new Renderer(false, RenderLimits.DEFAULT, new DataSchemas());
    }

    /** Holds back documents with problems, with the limits of the contract. */
    public static Renderer holdingDocuments() {
        return new Renderer(true, RenderLimits.DEFAULT, new DataSchemas());
    }

    public Renderer with(Workers others) {
        return new Renderer(holdDocuments, limits, schemas, others, reads, form, publishes);
    }

    /** This renderer with another form for records with secrets. */
    public Renderer with(RecordForm other) {
        return new Renderer(holdDocuments, limits, schemas, workers, reads, other, publishes);
    }

    /** The form of a record: clear text if it has no secrets. */
    RecordForm form(boolean isSecret) {
        return isSecret ? form : RecordForm.CLEAR;
    }

    /** A record in the form in which it is published; its JSON is null if the record is not published. */
    record Made(Output output, RecordJson json) {}

    /**
     * Makes the record of a rendered document.
     *
     * @param hash the hash of the record
     * @return null if the record is too large in its form
     */
    Made made(DocumentKey key, MapValue document, Fingerprint hash) {
        boolean secret = document.get("data").hasSecrets();
        RecordForm.Formed formed = form(secret).of(key, document);
        if (formed.weight() > RenderLimits.RECORD_BYTES) {
            return null;
        }
        RecordJson json = publishes ? formed.json() : null;
        Digest digest = json == null ? Digest.ZERO : Digest.of(key, json.json());
        return new Made(new Output(hash, digest, secret, form(secret).name()), json);
    }

    /** This renderer for callers without consumers and transactions: no records, and no limit for changes. */
    public Renderer publishingNothing() {
        return new Renderer(holdDocuments, limits.forAnyChange(), schemas, workers, reads, form, false);
    }
}
