package dev.strake.server.events;

import dev.strake.client.Revisions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The last events, which all clients read from: they take no memory each. A client that has not taken an event when it
 * goes is too slow.
 */
final class RecentEvents {

    private final long mostBytes;
    private final TreeMap<Long, Event> events = new TreeMap<>();
    private long next;
    private long bytes;
    private EventPosition from = EventPosition.NOWHERE;
    private EventPosition to = EventPosition.NOWHERE;

    RecentEvents(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Where a client stands.
     *
     * @param next number of the event that it has to take next
     * @param place the same for whoever goes on elsewhere
     */
    record Next(long next, EventPosition place) {}

    /** Begins anew, at a place between changes. Numbers of events go on. */
    synchronized void restart(EventPosition place) {
        events.clear();
        bytes = 0;
        from = place.copy();
        to = place.copy();
    }

    synchronized void add(List<Event> more) {
        for (Event event : more) {
            events.put(next++, event);
            bytes += event.weight();
            to.pass(event);
        }
        notifyAll();
        while (bytes > mostBytes && events.size() > 1) {
            Event gone = events.pollFirstEntry().getValue();
            bytes -= gone.weight();
            from.pass(gone);
            if (gone.partition() >= 0) { // the rest of its change is of no use without it
                from.outcomes()[gone.partition()] = Math.max(from.outcomes()[gone.partition()], gone.outcome() + 1);
            }
        }
    }

    /** Where a client begins that wants new events only. */
    synchronized Next now() {
        return new Next(next, to.copy());
    }

    /** Waits until the event of this number is there, but not longer than this. */
    synchronized void await(long number, Duration longest) throws InterruptedException {
        long until = System.nanoTime() + longest.toNanos();
        for (long left = longest.toMillis(); next <= number && left > 0; ) {
            wait(left);
            left = (until - System.nanoTime()) / 1_000_000;
        }
    }

    /**
     * Some events, with the first one that is asked for. Empty if it has gone.
     *
     * @param enough bytes
     */
    synchronized Optional<List<Event>> since(long number, long enough) {
        if (number < next && (events.isEmpty() || number < events.firstKey())) {
            return Optional.empty();
        }
        List<Event> some = new ArrayList<>();
        long taken = 0;
        for (Event event : events.tailMap(number).values()) {
            some.add(event);
            taken += event.weight();
            if (taken >= enough) {
                break;
            }
        }
        return Optional.of(some);
    }

    /**
     * The number of the first event for a client at a position; it skips what it has already. Empty if events behind its
     * position are gone.
     */
    synchronized OptionalLong covers(Iterable<Revisions> read) {
        for (Revisions each : read) {
            if (!each.isBetweenChanges() || each.nextOutcome() < from.outcomes()[each.partition()]) {
                return OptionalLong.empty();
            }
        }
        long first = next - events.size();
        boolean isReset = !events.isEmpty() && events.get(first).partition() < 0; // which tells of a time before
        return OptionalLong.of(isReset ? first + 1 : first);
    }
}
