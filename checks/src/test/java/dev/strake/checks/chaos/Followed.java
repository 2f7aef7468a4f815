package dev.strake.checks.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What happened to somebody who follows a workspace by a {@link dev.strake.client.Subscription}, written down at once, a line for
 * each. The follower may be killed at any time, so a line counts only if it is complete:
 *
 * <pre>
 *  OPENED 0 - .       RESUMED 3 - .      from checkpoint 3
 *  REVISION 7 00af .  KEPT 3 - .         what is held after the update has this content hash
 *  FAILED 0 why .
 * </pre>
 *
 * @param number of the revision, or of the checkpoint
 * @param text the content hash of what is held after an update; the reason of a failure
 */
record Followed(What what, long number, String text) {

    private static final String END = " .";

    /** The kinds of a {@link dev.strake.client.RenderedUpdate}, and what happens between updates. */
    enum What {
        OPENED,
        RESUMED,
        KEPT,
        SNAPSHOT,
        REVISION,
        COMPACTED,
        FAILED
    }

    /** The line to write, with its end. */
    byte[] line() {
        String words = "%s %d %s%s\n".formatted(what, number, text.replaceAll("\\s+", " "), END);
        return words.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads what was written down of one workspace, without incomplete lines. */
    static List<Followed> read(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .filter(line -> line.endsWith(END))
                .map(line -> line.substring(0, line.length() - END.length()).split(" ", 3))
                .map(words -> new Followed(What.valueOf(words[0]), Long.parseLong(words[1]), words[2]))
                .toList();
    }
}
