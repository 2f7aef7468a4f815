package dev.strake.client.tls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of a PEM file (RFC 7468). It may contain a private key, so {@code toString} does not show its content.
 *
 * @param label the type of the content, such as {@code PRIVATE KEY}
 * @param content DER
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record PemBlock(String label, byte[] content) {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");

    /** Returns the blocks of a file in order. Ignores other text, and blocks whose content is not Base64. */
    static List<PemBlock> of(byte[] file) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            try {
                byte[] content = Base64.getDecoder().decode(matcher.group(2).replaceAll("\\s", ""));
                blocks.add(new PemBlock(matcher.group(1), content));
            } catch (IllegalArgumentException e) {
                // ignored; the caller reports what is missing
            }
        }
        return blocks;
    }

    @Override
    public String toString() {
        return label;
    }
}
