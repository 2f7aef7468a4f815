package dev.strake.engine.workspace;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Output;
import java.util.Map;
import java.util.Optional;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * What consumers hold. It is mostly what the head renders to, so only the differences are kept.
 *
 * @param held for each key whose published record may differ from the head's: the published record, empty if there is none.
 *     A problem holds the new record back, or the two differ only in the order of keys
 * @param records how many records consumers hold
 * @param digest of these records
 */
record Holdings(PersistentHashMap<DocumentKey, Optional<Output>> held, int records, Digest digest) {

    static final Holdings NONE = new Holdings(PersistentHashMap.empty(), 0, Digest.ZERO);

    static Holdings of(Map<DocumentKey, Optional<Output>> held, int records, Digest digest) {
        return new Holdings(PersistentHashMap.of(held.entrySet()), records, digest);
    }
}
