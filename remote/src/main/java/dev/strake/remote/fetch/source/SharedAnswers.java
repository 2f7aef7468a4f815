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
 * Answers that several resources ask for: one of them fetches, the others wait and take the same. The last answers are kept
 * while there is room, so that the next look can ask whether there is news.
 */
final class SharedAnswers {

    private final long room;
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final ConcurrentMap<String, FutureTask<HttpAnswer>> running = new ConcurrentHashMap<>();
    private long bytes;

    private record Kept(HttpAnswer answer, long at) {}

    /** How an answer is fetched. */
    interface Fetch {

        /**
         * Fetches.
         *
         * @param last the last answer; handed back if there is no news
         */
        HttpAnswer answer(Optional<HttpAnswer> last) throws FetchException;
    }

    /**
     * @param room for answers, in bytes
     */
    SharedAnswers(long room) {
        this.room = room;
    }

    /**
     * An answer that is no older than it may be.
     *
     * @param question equal for those who may have the same answer, their credentials included
     * @param since when it has to have come, in terms of {@link System#nanoTime}
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
