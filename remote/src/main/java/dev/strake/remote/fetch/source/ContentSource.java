package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.resource.FetchRequest;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import java.util.Map;

/** A kind of place that requests are made to. */
public interface ContentSource {

    /**
     * Fetches all files of a request.
     *
     * @param headers of the request, with those from other documents
     * @param references for keys of the resource
     * @param since when answers have to have come, in terms of {@link System#nanoTime}
     */
    Fetched fetch(
            RemoteResource resource,
            FetchRequest request,
            Map<String, Hidden> headers,
            ReferencedValues references,
            long since)
            throws FetchException;
}
