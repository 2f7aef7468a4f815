package dev.strake.remote.fetch;

import java.util.Map;

/** A kind of place that requests are made to. */
interface Source {

    /**
     * Fetches all files of a request.
     *
     * @param headers of the request, with those from other documents
     * @param references for keys of the resource
     * @param since when answers have to have come, in terms of {@link System#nanoTime}
     */
    Fetched fetch(
            RemoteResource resource, Request request, Map<String, Hidden> headers, References references, long since)
            throws FetchException;
}
