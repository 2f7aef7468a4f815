package dev.strake.server.access;

import dev.strake.client.tls.UnusableFileException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Maps hashed tokens to principals and their grants, one token a line:
 *
 * <pre>
 *  # principal  token         grants
 *  ci-site-a    sha256:9f86…  publisher@site-a reader@*
 * </pre>
 *
 * <p>A principal may have several lines, so that an old token stays valid while a new one is distributed.
 */
final class TokenFile {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@/:+-]{1,128}");

    private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");

    private final Map<String, Principal> byHash;

    private TokenFile(Map<String, Principal> byHash) {
        this.byHash = byHash;
    }

    /**
     * Parses a token file.
     *
     * @throws UnusableFileException if the content is malformed; the message names the line and quotes nothing of it
     */
    static TokenFile read(byte[] content) throws UnusableFileException {
        Map<String, Principal> byHash = new HashMap<>();
        readLines(content, words -> byHash.put(hash(words), principal(words)));
        return new TokenFile(byHash);
    }

    /**
     * Reads a file line by line. Skips empty lines and comments.
     *
     * @param reader takes the words of a line; throws {@link IllegalArgumentException}, without a full stop, if invalid
     */
    static void readLines(byte[] content, Consumer<String[]> reader) throws UnusableFileException {
        int number = 0;
        for (String line : text(content).split("\n", -1)) {
            number++;
            String stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            try {
                reader.accept(stripped.split("\\s+"));
            } catch (IllegalArgumentException e) {
                throw new UnusableFileException("line " + number + ": " + e.getMessage() + ".", e);
            }
        }
    }

    private static String text(byte[] content) throws UnusableFileException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UnusableFileException("it is not UTF-8 text.", e);
        }
    }

    private static String hash(String[] words) {
        String hash = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "";
        if (!HASH.matcher(hash).matches()) { // the word is not quoted, because it may be a token
            throw new IllegalArgumentException(
                    "the second word has to be sha256: and 64 hexadecimal digits. 'strake token' creates a token and its line");
        }
        return hash;
    }

    private static Principal principal(String[] words) {
        if (!NAME.matcher(words[0]).matches()) {
            throw new IllegalArgumentException(
                    "the first word names the principal: 1 to 128 of the characters A-Z a-z 0-9 . _ @ / : + -");
        }
        if (words.length < 3) {
            throw new IllegalArgumentException(
                    "the hash has to be followed by grants, such as reader@* " + "publisher@site-a");
        }
        return new Principal(
                words[0], Stream.of(words).skip(2).map(Grant::parse).toList());
    }

    /**
     * Formats a line as {@link #read} expects it.
     *
     * @throws IllegalArgumentException if the name is invalid
     */
    static String line(String name, Token token, List<Grant> grants) {
        List<String> words = new ArrayList<>(List.of(name, token.hashed()));
        grants.forEach(grant -> words.add(grant.toString()));
        principal(words.toArray(String[]::new));
        return String.join(" ", words);
    }

    Optional<Principal> principal(String token) {
        return Optional.ofNullable(byHash.get(Token.hashed(token)));
    }
}
