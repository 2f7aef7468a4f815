package dev.strake.server.http;

import java.util.List;

/**
 * Routes that share a number of requests at a time: however many ask for these, others go on being answered.
 *
 * @param concurrent requests that are answered at once, each on a thread of its own
 * @param queued requests that wait for one of these, some seconds at most; further ones are refused
 * @param mostBodyBytes of one request
 * @param bytesOfBodies of all bodies in memory together; requests beyond are refused
 */
public record Bulkhead(int concurrent, int queued, int mostBodyBytes, long bytesOfBodies, List<Route> routes) {

    public Bulkhead(int concurrent, int queued, List<Route> routes) {
        this(concurrent, queued, 0, 0, routes);
    }
}
