package dev.strake.checks.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The result of a check: for each promise how much was checked, and everything that broke it. */
public final class Verdict {

    /** The maximum number of reports for a promise; a torn store breaks it in every later revision. */
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

    /** Compares the run with another over the same changes, whose results have to be equal. */
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

    /** Returns how many revisions, records and so on were checked. */
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

    /** Returns the fingerprint of all output, equal for all runs over the same changes. */
    public String fingerprint() {
        return fingerprint;
    }

    /** Returns a line for each promise kept, and one for each violation. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Promise promise : Promise.values()) {
            List<String> all = broken.get(promise);
            if (promise == Promise.FOLLOWED && all.isEmpty() && looked(promise) == 0) {
                continue; // no subscription ran
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
