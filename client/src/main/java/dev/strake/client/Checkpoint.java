package dev.strake.client;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Digest;
import dev.strake.serdes.rendered.RenderedKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A place between two revisions of a workspace, from which a {@link Subscription} goes on later. Whoever keeps it has to
 * keep it together with what was made of the updates up to there. It holds hashes of documents, and nothing of what they
 * contain.
 *
 * @param rendered offset of the next record in the topic of rendered documents
 * @param outcomes offset of the next record in the topic of outcomes
 * @param documents the digest of each document of the set
 */
public record Checkpoint(String workspace, long rendered, long outcomes, SortedMap<DocumentKey, Digest> documents) {

    private static final String VERSION = "strake-checkpoint 1";

    public Checkpoint {
        documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
    }

    /**
     * Writes the checkpoint as text:
     *
     * <pre>
     *  strake-checkpoint 1
     *  WORKSPACE
     *  OFFSET OFFSET              of rendered documents, of outcomes
     *  DIGEST SCHEMA|NAME         for each document; a line feed in a name is written \n, a backslash \\
     * </pre>
     */
    public void write(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(VERSION).append('\n').append(workspace).append('\n');
        text.append(rendered).append(' ').append(outcomes).append('\n');
        documents.forEach((key, digest) -> text.append(digest)
                .append(' ')
                .append(escaped(key.schema() + "|" + key.name()))
                .append('\n'));
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /**
     * Reads a checkpoint.
     *
     * @throws IOException if it cannot be read, or is not one
     */
    public static Checkpoint read(InputStream in) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        if (!VERSION.equals(lines.readLine())) {
            throw new IOException("this is no checkpoint of a subscription, or one of another version");
        }
        try {
            String workspace = lines.readLine();
            String[] offsets = lines.readLine().split(" ", 2);
            SortedMap<DocumentKey, Digest> documents = new TreeMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Digest digest = Digest.ofBytes(HexFormat.of().parseHex(line.substring(0, 64)));
                documents.put(
                        RenderedKey.of(workspace + "|" + unescaped(line.substring(65)))
                                .document(),
                        digest);
            }
            return new Checkpoint(workspace, Long.parseLong(offsets[0]), Long.parseLong(offsets[1]), documents);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | NullPointerException e) {
            throw new IOException("the checkpoint is damaged", e);
        }
    }

    private static String escaped(String name) {
        return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescaped(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char next = name.charAt(i);
            if (next == '\\') {
                i++;
                next = name.charAt(i) == 'n' ? '\n' : name.charAt(i) == 'r' ? '\r' : name.charAt(i);
            }
            text.append(next);
        }
        return text.toString();
    }
}
