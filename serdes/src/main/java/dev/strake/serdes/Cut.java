package dev.strake.serdes;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A header that says that this program cut the key or the value of a record, and how many bytes there were before. A header
 * of the same name that came with the record is no {@code Cut}, so no publisher can make believe that something was cut.
 *
 * @param key name of the header, as {@link HeaderNames#UNCUT_VALUE_BYTES}
 * @param bytes before the cut
 */
public record Cut(String key, long bytes) implements Header {

    /** How many bytes the value had, if this process cut it when it read the record. */
    public static OptionalLong ofValue(Headers headers) {
        return headers.lastHeader(HeaderNames.UNCUT_VALUE_BYTES) instanceof Cut cut
                ? OptionalLong.of(cut.bytes())
                : OptionalLong.empty();
    }

    @Override
    public byte[] value() {
        return Long.toString(bytes).getBytes(StandardCharsets.UTF_8);
    }
}
