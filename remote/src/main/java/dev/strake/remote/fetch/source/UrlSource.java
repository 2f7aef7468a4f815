package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Fetches a single file from a URL. */
public record UrlSource(HttpSource http) implements ContentSource {

    @Override
    public Fetched fetch(Question question) throws FetchException {
        Address address = question.request().url().orElseThrow();
        HttpAnswer answer = http.get(address, question.headers(), question.since());
        return new Fetched(
                address.toString(),
                answer.revision(),
                modified(answer),
                List.of(new Fetched.File(address.toString(), answer.body())));
    }

    private static long modified(HttpAnswer answer) {
        try {
            return answer.header("last-modified")
                    .map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text))
                            .toEpochMilli())
                    .orElse(0L);
        } catch (DateTimeException e) {
            return 0; // many servers send invalid dates
        }
    }
}
