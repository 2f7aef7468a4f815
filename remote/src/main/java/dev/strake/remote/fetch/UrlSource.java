package dev.strake.remote.fetch;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** One file behind a URL. */
record UrlSource(HttpSource http) implements Source {

    @Override
    public Fetched fetch(
            RemoteResource resource, Request request, Map<String, Hidden> headers, References references, long since)
            throws FetchException {
        Address address = request.url().orElseThrow();
        Answer answer = http.get(address, headers, since);
        return new Fetched(
                address.toString(),
                answer.revision(),
                modified(answer),
                List.of(new Fetched.File(address.toString(), answer.body())));
    }

    private static long modified(Answer answer) {
        try {
            return answer.header("last-modified")
                    .map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text))
                            .toEpochMilli())
                    .orElse(0L);
        } catch (DateTimeException e) {
            return 0; // many servers write what they like
        }
    }
}
