package dev.strake.server.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The last events, which all clients read from: they take no memory each. A client that has not taken an event when it
 * goes is too slow.
 */
final class Recent {

    private final long mostBytes;
    private final TreeMap<Long, Event> events = new TreeMap<>();
    private long next;
    private long bytes;
    private Place from = new Place(0, new long[0], new long[0]);
    private Place to = from;

    Recent(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Where a client stands.
     *
     * @param next number of the event that it has to take next
     * @param place the same for whoever goes on elsewhere
     */
    record Standing(long next, Place place) {}

    /** Begins anew, at a place between changes. Numbers of events go on. */
    synchronized void restart(Place place) {
        events.clear();
        bytes = 0;
        from = copy(place);
        to = copy(place);
    }

    private static Place copy(Place place) {
        return new Place(
                place.topics(), place.outcomes().clone(), place.rendered().clone());
    }

    synchronized void add(List<Event> more) {
        for (Event event : more) {
            events.put(next++, event);
            bytes += event.weight();
            pass(event, to);
        }
        while (bytes > mostBytes && events.size() > 1) {
            Event gone = events.pollFirstEntry().getValue();
            bytes -= gone.weight();
            pass(gone, from);
            if (gone.partition() >= 0) { // the rest of its change is of no use without it
                from.outcomes()[gone.partition()] = Math.max(from.outcomes()[gone.partition()], gone.outcome() + 1);
            }
        }
    }

    /** Moves a place behind an event, if that closes its change. */
    static void pass(Event event, Place place) {
        if (event.kind() == Event.Kind.OUTCOME) {
            place.outcomes()[event.partition()] = event.outcome() + 1;
            place.rendered()[event.partition()] = event.rendered();
        }
    }

    /** Where whoever wants only what comes from now on stands. */
    synchronized Standing now() {
        return new Standing(next, copy(to));
    }

    synchronized long next() {
        return next;
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

    /** The number to begin with for somebody at a place, who then has to pass over what is before it; empty if some is gone. */
    synchronized OptionalLong covers(Iterable<Merge> read) {
        for (Merge each : read) {
            boolean ready = from.outcomes().length > 0 && each.isBetweenChanges();
            if (!ready || each.nextOutcome() < from.outcomes()[each.partition()]) {
                return OptionalLong.empty();
            }
        }
        long first = next - events.size();
        boolean isReset = !events.isEmpty() && events.get(first).partition() < 0; // which tells of a time before
        return OptionalLong.of(isReset ? first + 1 : first);
    }
}
