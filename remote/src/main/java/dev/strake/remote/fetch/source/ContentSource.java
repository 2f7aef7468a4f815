package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.resource.FetchRequest;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import java.util.Map;

/** A kind of source that requests are sent to. */
public interface ContentSource {

    /**
     * Fetches all files of a request.
     *
     * @param headers the headers of the request, including those from other documents
     * @param references looks up keys of the resource
     * @param since the earliest time at which an answer may have been received, as {@link System#nanoTime}
     */
    Fetched fetch(
            RemoteResource resource,
            FetchRequest request,
            Map<String, Hidden> headers,
            ReferencedValues references,
            long since)
            throws FetchException;
}
