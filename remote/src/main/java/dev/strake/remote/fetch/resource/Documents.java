package dev.strake.remote.fetch.resource;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.Optional;

/** The rendered documents of a workspace that resources refer to. */
public interface Documents {

    /** The record of a document; empty if there is none. */
    Optional<RenderedRecord> find(DocumentKey key) throws FetchException;
}
