package dev.strake.remote.apply;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;

/** Shows a change of a file as a unified diff, which {@code patch -p1} accepts. Never shows a secret document. */
public final class FileDiff {

    private static final byte[] NOTHING = new byte[0];

    private FileDiff() {}

    /** Returns the diff; each line ends with a line break. */
    public static String of(TargetChange change) {
        String heading = "--- %s%n+++ %s%n"
                .formatted(
                        change.before() == null ? "/dev/null" : "a/" + change.path(),
                        change.after() == null ? "/dev/null" : "b/" + change.path());
        return switch (change.kind()) {
            case FOREIGN -> "# not ours, and left as it is: " + change.path() + System.lineSeparator();
            case HELD, FAILED, OMITTED -> "# %s: %s%n".formatted(change.path(), change.reason());
            case CREATE, REPLACE, RESTORE, REMOVE, DRIFTED ->
                change.secret()
                        ? heading + "# not shown: the document has secrets" + System.lineSeparator()
                        : heading + hunks(change);
        };
    }

    private static String hunks(TargetChange change) {
        RawText before = new RawText(change.before() == null ? NOTHING : change.before());
        RawText after = new RawText(change.after() == null ? NOTHING : change.after());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DiffFormatter formatter = new DiffFormatter(out)) {
            formatter.format(new HistogramDiff().diff(RawTextComparator.DEFAULT, before, after), before, after);
            formatter.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("in memory", e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
