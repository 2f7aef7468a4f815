package dev.strake.fetch;

import java.util.Map;

/** Files of repositories, by the interface that the request names. */
record GitSource(HostedGit hosted, RepositorySource repositories) implements Source {

    @Override
    public Fetched fetch(
            RemoteResource resource, Request request, Map<String, Hidden> headers, References references, long since)
            throws FetchException {
        boolean isHosted = request.git().orElseThrow().provider() != GitFiles.Provider.GIT;
        return (isHosted ? hosted : repositories).fetch(resource, request, headers, references, since);
    }
}
