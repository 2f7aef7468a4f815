package dev.strake.remote.apply;

import dev.strake.client.RenderedUpdate;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.PersonIdent;

/** Author and message of a commit, taken from the change that made the revision. */
final class GitCommit {

    private static final String STRAKE = "Strake";
    private static final Pattern NAMED = Pattern.compile("([^<>]*)<([^<>]*)>");

    private GitCommit() {}

    /** Returns the author and the time of the change, or Strake if the change names no author. */
    static PersonIdent author(RenderedUpdate update, PersonIdent committer) {
        String said = update.publishing().map(GitCommit::note).map(Note::author).orElse("");
        String line = said.replaceAll("\\p{Cntrl}+", " ").strip();
        if (line.isEmpty()) {
            return committer;
        }
        Matcher named = NAMED.matcher(line);
        boolean isNamed = named.matches();
        String plain = line.replaceAll("[<>]", "").strip();
        String name = isNamed ? named.group(1).strip() : plain;
        String address = isNamed ? named.group(2).strip() : plain.contains("@") ? plain : "";
        Instant time = update.publishing().map(Outcome::time).orElseThrow();
        return new PersonIdent(name.isEmpty() ? address : name, address, time, ZoneOffset.UTC);
    }

    static PersonIdent committer(Instant now) {
        return new PersonIdent(STRAKE, "strake@localhost", now, ZoneOffset.UTC);
    }

    /**
     * Returns the message of the change, or else the revision, followed by trailers that name the origin of the commit:
     *
     * <pre>
     *  more replicas
     *
     *  Strake-Workspace: site-a
     *  Strake-Revision: 12
     *  Strake-Change: 009a4d28-082a-4a3d-a829-43afc6885b54
     * </pre>
     */
    static String message(RenderedUpdate update, String workspace) {
        String said =
                update.publishing().map(GitCommit::note).map(Note::message).orElse("");
        String text = said.replace("\r\n", "\n")
                .replaceAll("[\\p{Cntrl}&&[^\n\t]]+", " ")
                .strip();
        String revision = Long.toString(update.published());
        String change =
                update.publishing().map(outcome -> outcome.change().id()).orElse("");
        return (text.isEmpty() ? workspace + ", revision " + revision : text)
                + "\n\nStrake-Workspace: " + workspace
                + "\nStrake-Revision: " + revision
                + (change.isEmpty() ? "" : "\nStrake-Change: " + change.replaceAll("\\p{Cntrl}+", " "))
                + "\n";
    }

    private static Note note(Outcome outcome) {
        return outcome.change().note();
    }
}
