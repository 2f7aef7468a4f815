package dev.strake.engine.workspace;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Output;
import java.util.Map;
import java.util.Optional;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * What consumers hold. Consumers mostly hold the records of the head, so only the differences are kept.
 *
 * @param held for each key whose published record may differ from the head's: the published record, empty if there is
 *     none. Either a problem holds the new record back, or the two differ only in the order of keys
 * @param records the number of records that consumers hold
 * @param digest the digest of these records
 * @param revision the last revision that was published completely; 0 before the first
 * @param rule what the change that made the head held back
 */
public record Holdings(
        PersistentHashMap<DocumentKey, Optional<Output>> held, int records, Digest digest, long revision, Rule rule) {

    static final Holdings NONE = new Holdings(PersistentHashMap.empty(), 0, Digest.ZERO, 0, Rule.UNKNOWN);

    /** What a change holds back: all records, or those with a problem. Unknown for a restored head. */
    enum Rule {
        ALL,
        TROUBLED,
        UNKNOWN
    }

    /** Restores the holdings from what the stores contain. */
    public static Holdings of(Map<DocumentKey, Optional<Output>> held, int records, Digest digest, long revision) {
        return new Holdings(PersistentHashMap.of(held.entrySet()), records, digest, revision, Rule.UNKNOWN);
    }

    /** The record that consumers hold while that of the head is held back; empty if they hold none. */
    public Optional<Output> held(DocumentKey key) {
        return held.getOrDefault(key, Optional.empty());
    }
}
