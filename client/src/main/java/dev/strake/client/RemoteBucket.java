package dev.strake.client;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import java.nio.charset.StandardCharsets;

/**
 * The bucket of a RemoteResource that names none: whoever fetches puts documents there, and whoever applies them looks for the
 * resource to which they belong.
 */
public final class RemoteBucket {

    /** What the names of such buckets begin with. */
    public static final String PREFIX = "remote-";

    private static final int LONGEST = 128;
    private static final int HASH_DIGITS = 12;

    private RemoteBucket() {}

    /** The bucket of the resource with this name. Names that no bucket can have get a part of their hash. */
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
