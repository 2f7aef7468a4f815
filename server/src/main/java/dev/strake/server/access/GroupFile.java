package dev.strake.server.access;

import dev.strake.client.tls.UnusableFileException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Maps groups to grants, one group a line:
 *
 * <pre>
 *  # group          grants
 *  platform%20team  admin@* secrets-reader@*
 *  site-a           publisher@site-a
 *  *                reader@*                  everybody who has a token
 * </pre>
 *
 * <p>A group is a value of a claim. Blanks and other characters that would end it are percent-encoded.
 */
final class GroupFile {

    private static final String EVERYBODY = "*";

    private final Map<String, List<Grant>> grants;

    private GroupFile(Map<String, List<Grant>> grants) {
        this.grants = grants;
    }

    /**
     * Parses a group file.
     *
     * @throws UnusableFileException if the content is malformed; the message names the line
     */
    static GroupFile read(byte[] content) throws UnusableFileException {
        Map<String, List<Grant>> grants = new LinkedHashMap<>();
        TokenFile.readLines(content, words -> {
            if (words.length < 2) {
                throw new IllegalArgumentException(
                        "the group has to be followed by grants, such as reader@* " + "publisher@site-a");
            }
            List<Grant> more = Stream.of(words).skip(1).map(Grant::parse).toList();
            // Unlike in forms, a plus sign is not a blank.
            String group = URLDecoder.decode(words[0].replace("+", "%2B"), StandardCharsets.UTF_8);
            grants.computeIfAbsent(group, none -> new ArrayList<>()).addAll(more);
        });
        return new GroupFile(grants);
    }

    List<Grant> grants(List<String> groups) {
        Set<Grant> all = new LinkedHashSet<>(grants.getOrDefault(EVERYBODY, List.of()));
        for (String group : groups) {
            // A group named * gets the grants of everybody, which its members have anyway.
            all.addAll(grants.getOrDefault(group, List.of()));
        }
        return List.copyOf(all);
    }
}
