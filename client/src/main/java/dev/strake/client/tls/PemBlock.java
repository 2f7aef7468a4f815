package dev.strake.client.tls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of a PEM file (RFC 7468):
 *
 * <pre>
 *  -----BEGIN label-----
 *  Base64
 *  -----END label-----
 * </pre>
 *
 * <p>Text between blocks is left out, as all programs do. It may be a private key, so it has no readable {@code toString}.
 */
public final class PemBlock {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*+)-----END \\1-----");

    private final String label;
    private final byte[] content;

    private PemBlock(String label, byte[] content) {
        this.label = label;
        this.content = content;
    }

    /** The blocks of a file, in their order; one whose content is not Base64 is left out. */
    public static List<PemBlock> of(byte[] file) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            try {
                blocks.add(new PemBlock(
                        matcher.group(1),
                        Base64.getDecoder().decode(matcher.group(2).replaceAll("\\s", ""))));
            } catch (IllegalArgumentException e) {
                // left out; whoever looks for it says what is missing
            }
        }
        return blocks;
    }

    /** What it says that it holds, such as {@code PRIVATE KEY}. */
    public String label() {
        return label;
    }

    public boolean isCertificate() {
        return label.equals("CERTIFICATE");
    }

    /** DER. */
    public byte[] content() {
        return content.clone();
    }

    @Override
    public String toString() {
        return label + ", " + content.length + " bytes";
    }
}
