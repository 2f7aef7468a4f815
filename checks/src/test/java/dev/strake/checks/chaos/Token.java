package dev.strake.checks.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** The prefix of all secrets of a run, found in any encoding: plain, hexadecimal, Base64. */
final class Token {

    private static final int LETTERS = 15;

    private final String text;
    private final List<String> forms = new ArrayList<>();

    Token(Random random) {
        text = random.ints(LETTERS, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        forms.add(text);
        forms.add(HexFormat.of().formatHex(text.getBytes(UTF_8)));
        for (int before = 0; before < 3; before++) { // preceding bytes shift it within groups of three bytes
            byte[] bytes = new byte[before + LETTERS];
            Arrays.fill(bytes, (byte) 'x');
            System.arraycopy(text.getBytes(UTF_8), 0, bytes, before, LETTERS);
            String encoded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
            forms.add(encoded.substring((before * 8 + 5) / 6, bytes.length * 8 / 6));
        }
    }

    /** A unique secret. */
    String secret(long number) {
        return text + "-" + number;
    }

    /** Whether the prefix occurs anywhere in these bytes. */
    boolean isIn(byte[] bytes) {
        String all = new String(bytes, ISO_8859_1);
        return forms.stream().anyMatch(all::contains);
    }
}
