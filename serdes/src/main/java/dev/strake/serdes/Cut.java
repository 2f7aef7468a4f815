package dev.strake.serdes;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * A header that says that this program cut the key, the value or the headers of a record, and how many bytes there were
 * before. A header of the same name that came with the record is no {@code Cut}, so no publisher can make believe that
 * something was cut.
 *
 * @param key name of the header, as {@link HeaderNames#UNCUT_VALUE_BYTES}
 * @param bytes before the cut
 * @param number that the header tells
 */
public record Cut(String key, long bytes, long number) implements Header {

    /** Of a key or a value that had so many bytes. */
    public Cut(String key, long bytes) {
        this(key, bytes, bytes);
    }

    /** Of a record that had so many bytes, and from which headers were left out. */
    public static Cut ofHeaders(int dropped, long bytes) {
        return new Cut(HeaderNames.DROPPED_HEADERS, bytes, dropped);
    }

    /** Of a record of which nothing was read, as its codec unpacks so many bytes at once or none. */
    public static Cut ofBlock(long bytes) {
        return new Cut(HeaderNames.UNREAD_BLOCK_BYTES, bytes);
    }

    /** How many bytes the codec would have to unpack at once, if this process has read nothing of the record for it. */
    public static OptionalLong ofBlock(Headers headers) {
        return headers.lastHeader(HeaderNames.UNREAD_BLOCK_BYTES) instanceof Cut cut
                ? OptionalLong.of(cut.bytes())
                : OptionalLong.empty();
    }

    /** How many bytes there were, if this process cut the value or the headers when it read the record. */
    public static OptionalLong ofContent(Headers headers) {
        for (String name : List.of(HeaderNames.UNCUT_VALUE_BYTES, HeaderNames.DROPPED_HEADERS)) {
            if (headers.lastHeader(name) instanceof Cut cut) {
                return OptionalLong.of(cut.bytes());
            }
        }
        return OptionalLong.empty();
    }

    @Override
    public byte[] value() {
        return Long.toString(number).getBytes(StandardCharsets.UTF_8);
    }
}
