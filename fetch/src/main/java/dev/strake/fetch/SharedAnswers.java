package dev.strake.fetch;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Answers that several resources ask for: one of them fetches, the others wait and take the same. The last answers are kept
 * while there is room, so that the next look can ask whether there is news.
 */
final class SharedAnswers {

    private final long room;
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, CompletableFuture<Answer>> running = new HashMap<>();
    private long bytes;

    private record Kept(Answer answer, long at) {}

    /** How an answer is fetched. */
    interface Fetch {

        /**
         * Fetches.
         *
         * @param last the last answer; handed back if there is no news
         */
        Answer answer(Optional<Answer> last) throws FetchException;
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
    Answer get(String question, long since, Fetch fetch) throws FetchException {
        CompletableFuture<Answer> mine = new CompletableFuture<>();
        CompletableFuture<Answer> other;
        Kept last;
        synchronized (this) {
            last = kept.get(question);
            if (last != null && last.at() - since >= 0) {
                return last.answer();
            }
            other = running.putIfAbsent(question, mine);
        }
        if (other != null) {
            return joined(other);
        }
        Answer answer = null;
        FetchException failed = new FetchException(FetchException.Code.UNREACHABLE, "the fetch was broken off");
        try {
            answer = fetch.answer(Optional.ofNullable(last).map(Kept::answer));
            return answer;
        } catch (FetchException e) {
            failed = e;
            throw e;
        } finally {
            finish(question, answer);
            if (answer != null) {
                mine.complete(answer);
            } else {
                mine.completeExceptionally(failed);
            }
        }
    }

    private static Answer joined(CompletableFuture<Answer> other) throws FetchException {
        try {
            return other.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof FetchException failed) {
                throw new FetchException(failed.code(), failed.getMessage());
            }
            throw e;
        }
    }

    private synchronized void finish(String question, Answer answer) {
        running.remove(question);
        if (answer == null) {
            return;
        }
        Kept before = kept.put(question, new Kept(answer, System.nanoTime()));
        bytes += answer.body().length - (before == null ? 0 : before.answer().body().length);
        Iterator<Kept> oldest = kept.values().iterator();
        while (bytes > room && oldest.hasNext()) {
            bytes -= oldest.next().answer().body().length;
            oldest.remove();
        }
    }
}
