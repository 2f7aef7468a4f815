package dev.strake.server.http;

import java.util.List;

/**
 * A group of routes with their own limit of concurrent requests, so that load on one group does not block the others.
 *
 * @param concurrent how many requests are answered concurrently, each on its own thread
 * @param queued how many requests wait for a thread, for a few seconds at most; further ones are rejected
 * @param mostBodyBytes the size limit of one body
 * @param bytesOfBodies the size limit of all bodies in memory together; further requests are rejected
 */
public record Bulkhead(int concurrent, int queued, int mostBodyBytes, long bytesOfBodies, List<Route> routes) {

    public Bulkhead(int concurrent, int queued, List<Route> routes) {
        this(concurrent, queued, 0, 0, routes);
    }
}
