package dev.strake.checks.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a check came to: for each promise how much was looked at, and everything that broke it. */
public final class Verdict {

    /** Told of one promise; a torn store breaks it for every revision that follows. */
    private static final int TOLD = 20;

    private final Map<Promise, Long> looked = new EnumMap<>(Promise.class);
    private final Map<Promise, String> units = new EnumMap<>(Promise.class);
    private final Map<Promise, List<String>> broken = new EnumMap<>(Promise.class);
    private String fingerprint = "";

    Verdict() {
        for (Promise promise : Promise.values()) {
            looked.put(promise, 0L);
            broken.put(promise, new ArrayList<>());
        }
    }

    void looked(Promise promise, String unit) {
        looked.merge(promise, 1L, Long::sum);
        units.put(promise, unit);
    }

    void broke(Promise promise, String how) {
        broken.get(promise).add(how);
    }

    void fingerprint(String text) {
        fingerprint = text;
    }

    /** Judges the run once more, beside another over the same changes, which must have come to the same. */
    void compare(History history, History other, Verdict ofOther) {
        if (!ofOther.fingerprint.equals(fingerprint)) {
            broke(
                    Promise.DETERMINISTIC,
                    "this run came to %s, the other to %s".formatted(fingerprint, ofOther.fingerprint));
        }
        if (Comparison.isOfSameChanges(history, other)) {
            Comparison.differences(history, other).forEach(each -> broke(Promise.DETERMINISTIC, each));
        }
    }

    /** How many revisions, records and so on were looked at. */
    public long looked(Promise promise) {
        return looked.get(promise);
    }

    public Set<Promise> broken() {
        Set<Promise> result = new TreeSet<>();
        broken.forEach((promise, all) -> {
            if (!all.isEmpty()) {
                result.add(promise);
            }
        });
        return result;
    }

    public boolean isFine() {
        return broken().isEmpty();
    }

    /** What everything published has in common with another run over the same changes. */
    public String fingerprint() {
        return fingerprint;
    }

    /** One line for each promise kept, and one for each time that one was broken. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Promise promise : Promise.values()) {
            List<String> all = broken.get(promise);
            if (promise == Promise.FOLLOWED && all.isEmpty() && looked(promise) == 0) {
                continue; // nobody followed
            }
            if (all.isEmpty()) {
                String count = String.format(
                        Locale.ROOT, "%,d %s", looked.get(promise), units.getOrDefault(promise, "records"));
                lines.add(promise + " ok " + (promise == Promise.DETERMINISTIC ? fingerprint : count));
            }
            all.stream().limit(TOLD).forEach(each -> lines.add("broke " + promise + ": " + each));
            if (all.size() > TOLD) {
                lines.add("broke " + promise + ": " + (all.size() - TOLD) + " times more");
            }
        }
        return lines;
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }
}
