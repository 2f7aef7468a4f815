package dev.strake.remote.fetch.source;

import dev.strake.remote.fetch.policy.FetchException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Shares answers among resources: one of them fetches, and the others wait for the same answer. The latest answers are
 * cached up to a total size, so that the next fetch can be conditional.
 */
final class SharedAnswers {

    private final long room;
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final ConcurrentMap<String, FutureTask<HttpAnswer>> running = new ConcurrentHashMap<>();
    private long bytes;

    private record Kept(HttpAnswer answer, long at) {}

    /** Fetches an answer. */
    interface Fetch {

        /**
         * Fetches an answer.
         *
         * @param last the last answer; returned again if it was not modified
         */
        HttpAnswer answer(Optional<HttpAnswer> last) throws FetchException;
    }

    /** @param room the maximum total size of cached answers in bytes */
    SharedAnswers(long room) {
        this.room = room;
    }

    /**
     * Returns an answer that is not older than a given time.
     *
     * @param question the key of requests that may share an answer; depends on their credentials, too
     * @param since the earliest time at which the answer may have been received, as {@link System#nanoTime}
     */
    HttpAnswer get(String question, long since, Fetch fetch) throws FetchException {
        FutureTask<HttpAnswer> mine = new FutureTask<>(() -> news(question, since, fetch));
        FutureTask<HttpAnswer> other = running.putIfAbsent(question, mine);
        if (other == null) {
            mine.run();
            running.remove(question);
        }
        try {
            return (other == null ? mine : other).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FetchException failed) {
                throw new FetchException(failed.code(), failed.getMessage());
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FetchException(FetchException.Code.UNREACHABLE, "the fetch was broken off");
        }
    }

    private HttpAnswer news(String question, long since, Fetch fetch) throws FetchException {
        Kept last;
        synchronized (kept) {
            last = kept.get(question);
        }
        if (last != null && last.at() - since >= 0) {
            return last.answer();
        }
        HttpAnswer answer = fetch.answer(Optional.ofNullable(last).map(Kept::answer));
        keep(question, answer);
        return answer;
    }

    private void keep(String question, HttpAnswer answer) {
        synchronized (kept) {
            Kept before = kept.put(question, new Kept(answer, System.nanoTime()));
            bytes +=
                    answer.body().length - (before == null ? 0 : before.answer().body().length);
            Iterator<Kept> oldest = kept.values().iterator();
            while (bytes > room && oldest.hasNext()) {
                bytes -= oldest.next().answer().body().length;
                oldest.remove();
            }
        }
    }
}
