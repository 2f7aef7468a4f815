package dev.strake.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Plants random words in documents and searches outputs for them: in clear, in parts, in Base64 at each alignment,
 * in hexadecimal, escaped for JSON, YAML, HTML and URLs, and as unkeyed hashes.
 */
public final class Planted {

    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int LENGTH = 20;

    /** The length of the prefix by which forms are indexed, so that one pass over a text finds all of them. */
    private static final int BEGINNING = 6;

    private final Random random;
    private final Map<String, List<Form>> forms = new HashMap<>();

    private record Form(String text, String where, String how) {}

    public Planted(long seed) {
        this.random = new Random(seed);
    }

    /** Returns a new word. {@code where} names its place in messages. */
    public String word(String where) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return added(word.toString(), where);
    }

    /** Returns a new number. */
    public String number(String where) {
        StringBuilder digits = new StringBuilder().append(1 + random.nextInt(9));
        while (digits.length() < LENGTH) {
            digits.append(random.nextInt(10));
        }
        return added(digits.toString(), where);
    }

    /** Returns a new word with characters that several formats escape. */
    public String unicode(String where) {
        String word = word(where + ", plain part");
        return added(word.substring(0, 7) + "äß中" + word.substring(7, 12) + "\"<&\\'" + word.substring(12), where);
    }

    private String added(String word, String where) {
        hashes(word, where);
        int half = word.length() / 2;
        for (String part : List.of(word.substring(0, half), word.substring(half))) {
            add(part, where, "as it is");
            add(escaped(part), where, "escaped as in ASCII JSON");
            add(part.replace("\\", "\\\\").replace("\"", "\\\""), where, "escaped as in JSON");
            add(part.replace("'", "''"), where, "escaped as in YAML");
            add(part.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;"), where, "escaped as in HTML");
            add(URLEncoder.encode(part, UTF_8), where, "escaped as in URLs");
            byte[] bytes = part.getBytes(UTF_8);
            add(HexFormat.of().formatHex(bytes), where, "in hexadecimal");
            add(HexFormat.of().withUpperCase().formatHex(bytes), where, "in hexadecimal, upper case");
            for (int shift = 0; shift < 3; shift++) {
                base64(bytes, shift, where);
            }
        }
        return word;
    }

    /* Adds unkeyed hashes of the word: an attacker could find the word by hashing a dictionary. */
    private void hashes(String word, String where) {
        for (String text : List.of(word, '"' + word + '"')) {
            try {
                byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
                add(HexFormat.of().formatHex(hash, 0, 8), where, "as SHA-256");
                add(Base64.getEncoder().encodeToString(hash).substring(0, 16), where, "as SHA-256 in Base64");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }

    /* Leaves out the characters that also depend on neighbouring bytes. */
    private void base64(byte[] bytes, int shift, String where) {
        byte[] shifted = new byte[shift + bytes.length];
        System.arraycopy(bytes, 0, shifted, shift, bytes.length);
        int from = (shift * 8 + 5) / 6;
        int to = shifted.length * 8 / 6;
        add(Base64.getEncoder().encodeToString(shifted).substring(from, to), where, "in Base64");
        add(Base64.getUrlEncoder().encodeToString(shifted).substring(from, to), where, "in Base64 for URLs");
    }

    private static String escaped(String text) {
        StringBuilder result = new StringBuilder();
        text.chars().forEach(c -> result.append(c < 128 ? String.valueOf((char) c) : "\\u%04x".formatted(c)));
        return result.toString().replace("\"", "\\\"");
    }

    private void add(String text, String where, String how) {
        if (text.length() >= BEGINNING) {
            List<Form> same = forms.computeIfAbsent(text.substring(0, BEGINNING), key -> new ArrayList<>());
            if (same.stream().noneMatch(each -> each.text.equals(text))) {
                same.add(new Form(text, where, how));
            }
        }
    }

    /** Returns the words found in a text: where each was planted, and the first form found. */
    public Collection<String> foundIn(String text) {
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i + BEGINNING <= text.length(); i++) {
            for (Form form : forms.getOrDefault(text.substring(i, i + BEGINNING), List.of())) {
                if (text.startsWith(form.text, i)) {
                    int from = Math.max(0, i - 60);
                    String around = text.substring(from, Math.min(text.length(), i + 60))
                            .replace('\n', ' ');
                    found.putIfAbsent(form.where, "%s, %s: …%s…".formatted(form.where, form.how, around));
                }
            }
        }
        return found.values();
    }
}
