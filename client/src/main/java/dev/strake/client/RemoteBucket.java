package dev.strake.client;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import java.nio.charset.StandardCharsets;

/**
 * The bucket of a RemoteResource that names none. The fetcher puts documents there; the applier looks up the resource
 * of a document by it.
 */
public final class RemoteBucket {

    /** The prefix of the names of such buckets. */
    public static final String PREFIX = "remote-";

    private static final int LONGEST = 128;
    private static final int HASH_DIGITS = 12;

    private RemoteBucket() {}

    /** Returns the bucket of a resource. Adds a part of the name's hash if buckets cannot have the name. */
    public static String of(String resource) {
        String plain = PREFIX + resource;
        if (WorkspaceKey.isName(plain)) {
            return plain;
        }
        String readable = plain.replaceAll("[^A-Za-z0-9._-]", "-");
        String end = "-"
                + RenderedHeaders.contentHash(resource.getBytes(StandardCharsets.UTF_8))
                        .substring(0, HASH_DIGITS);
        return readable.substring(0, Math.min(readable.length(), LONGEST - end.length())) + end;
    }
}
