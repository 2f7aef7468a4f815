package dev.strake.engine.render;

import dev.strake.engine.limit.RenderLimits;

/**
 * How workspaces are rendered.
 *
 * @param holdDocuments whether a problem holds back only the documents concerned (true) or the whole revision (false)
 * @param schemas compiled schemas, kept between changes
 * @param workers inspect documents in parallel
 * @param reads what owners read of other documents, kept between changes
 * @param form in which the records with secrets are published
 * @param publishes whether anybody gets records: otherwise none are made
 */
public record Renderer(
        boolean holdDocuments,
        RenderLimits limits,
        DataSchemas schemas,
        Workers workers,
        KeptReads reads,
        RecordForm form,
        boolean publishes) {

    /** A renderer whose records with secrets are in clear text. */
    public Renderer(boolean holdDocuments, RenderLimits limits, DataSchemas schemas, Workers workers) {
        this(holdDocuments, limits, schemas, workers, new KeptReads(), RecordForm.CLEAR, true);
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

    /** The same with another form for the records with secrets. */
    public Renderer with(RecordForm other) {
        return new Renderer(holdDocuments, limits, schemas, workers, reads, other, publishes);
    }

    /** The form of a record: clear text if it has no secrets. */
    RecordForm form(boolean isSecret) {
        return isSecret ? form : RecordForm.CLEAR;
    }

    /** A record as it is kept until it is published; null if nobody publishes it. */
    RecordJson record(RecordForm.Formed formed) {
        return publishes ? formed.json() : null;
    }

    /** The same for callers without consumers and without a transaction: no records, and no limit for changes. */
    public Renderer publishingNothing() {
        return new Renderer(holdDocuments, limits.forAnyChange(), schemas, workers, reads, form, false);
    }
}
