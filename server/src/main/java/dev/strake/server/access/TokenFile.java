package dev.strake.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hashed tokens, each with its principal and what that may do, one a line:
 *
 * <pre>
 *  # principal  token         grants
 *  ci-site-a    sha256:9f86…  publisher@site-a reader@*
 * </pre>
 *
 * <p>A principal may have several lines, so that an old token can stay valid while a new one is handed out.
 */
final class TokenFile {

    /** Tokens of a file. Each is compared with the one that came. */
    static final int MOST_TOKENS = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@/:+-]{1,128}");

    private final List<Line> lines;

    private static final class Line {

        private final byte[] hash;
        private final Principal principal;

        Line(byte[] hash, Principal principal) {
            this.hash = hash;
            this.principal = principal;
        }
    }

    private TokenFile(List<Line> lines) {
        this.lines = lines;
    }

    /**
     * The tokens of a file.
     *
     * @throws UnusableFileException if it is not of this form; the message names the line and quotes nothing of it
     */
    static TokenFile read(byte[] content) throws UnusableFileException {
        List<Line> lines = new ArrayList<>();
        readLines(content, words -> {
            if (lines.size() == MOST_TOKENS) {
                throw new IllegalArgumentException("it has more than " + MOST_TOKENS + " tokens");
            }
            lines.add(line(words));
        });
        return new TokenFile(lines);
    }

    /**
     * Reads a file line by line. Empty lines and comments are left out.
     *
     * @param reader of the words of a line; throws {@link IllegalArgumentException}, without a full stop, if they are wrong
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
            throw new UnusableFileException("it is no text in UTF-8.", e);
        }
    }

    private static Line line(String[] words) {
        if (!NAME.matcher(words[0]).matches()) {
            throw new IllegalArgumentException(
                    "the first word names the principal: 1 to 128 of the characters A-Z a-z 0-9 . _ @ / : + -");
        }
        byte[] hash = Token.hashFrom(words.length > 1 ? words[1] : "");
        if (words.length < 3) {
            throw new IllegalArgumentException("behind the hash stand grants, such as reader@* publisher@site-a");
        }
        return new Line(
                hash,
                new Principal(
                        words[0], Stream.of(words).skip(2).map(Grant::parse).toList()));
    }

    /**
     * A line of a file, as {@link #read} takes it.
     *
     * @throws IllegalArgumentException if the name is none
     */
    static String line(String name, Token token, List<Grant> grants) {
        List<String> words = new ArrayList<>(List.of(name, token.hashed()));
        grants.forEach(grant -> words.add(grant.toString()));
        line(words.toArray(String[]::new));
        return String.join(" ", words);
    }

    /** Whose token it is. Takes the same time whichever line has it, or none. */
    Optional<Principal> principal(String token) {
        byte[] hash = Token.hash(token);
        Principal found = null;
        for (Line line : lines) {
            if (MessageDigest.isEqual(line.hash, hash)) {
                found = line.principal;
            }
        }
        return Optional.ofNullable(found);
    }
}
