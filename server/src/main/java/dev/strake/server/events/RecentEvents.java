package dev.strake.server.events;

import dev.strake.client.RevisionMerger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A buffer of the latest events, shared by all clients, so that a client needs no buffer. A client that has not read an
 * event before its eviction is too slow.
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
     * The position of a client.
     *
     * @param next the number of the next event
     * @param place the same position for a client that resumes elsewhere
     */
    record Next(long next, EventPosition place) {}

    /** Clears the buffer and restarts at a position between changes. Event numbers continue. */
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
            if (gone.partition() >= 0) { // without this event, the rest of its change is useless
                from.outcomes()[gone.partition()] = Math.max(from.outcomes()[gone.partition()], gone.outcome() + 1);
            }
        }
    }

    /** Returns the position of a client that wants only new events. */
    synchronized Next now() {
        return new Next(next, to.copy());
    }

    /** Waits until the event with this number was added, or until the timeout. */
    synchronized void await(long number, Duration longest) throws InterruptedException {
        long until = System.nanoTime() + longest.toNanos();
        for (long left = longest.toMillis(); next <= number && left > 0; ) {
            wait(left);
            left = (until - System.nanoTime()) / 1_000_000;
        }
    }

    /**
     * Returns events from a number on. Empty if the first of them was evicted.
     *
     * @param enough stop after this many bytes
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
     * Returns the number of the first event for a client at a position; the client skips events that it already has.
     * Empty if events after its position were evicted.
     */
    synchronized OptionalLong covers(Iterable<RevisionMerger> read) {
        for (RevisionMerger each : read) {
            if (!each.isBetweenChanges() || each.nextOutcome() < from.outcomes()[each.partition()]) {
                return OptionalLong.empty();
            }
        }
        long first = next - events.size();
        boolean isReset = !events.isEmpty() && events.get(first).partition() < 0; // it concerns only earlier events
        return OptionalLong.of(isReset ? first + 1 : first);
    }
}
