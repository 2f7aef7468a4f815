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
     * A request of a resource.
     *
     * @param headers the headers of the request, including those from other documents
     * @param references looks up keys of the resource
     * @param since the earliest time at which an answer may have been received, as {@link System#nanoTime}
     */
    record Question(
            RemoteResource resource,
            FetchRequest request,
            Map<String, Hidden> headers,
            ReferencedValues references,
            long since) {}

    /** Fetches all files of a request. */
    Fetched fetch(Question question) throws FetchException;
}
