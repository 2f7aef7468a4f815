package dev.strake.engine.apply;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;

/**
 * What a document no longer has. A merge patch removes only what it says null for, so whatever the last document had and
 * this one has not gets a null.
 */
final class LastApplied {

    private LastApplied() {}

    /**
     * The document with a null for each member that only the last one had. Lists and scalars go as a whole. Of a mapping
     * its members go one by one, so that what others added to it in the cluster stays. If the document has a scalar or a list
     * where the last one had a mapping, it replaces the mapping.
     */
    static MapValue withRemovals(MapValue document, MapValue last) {
        Members members = new Members(document);
        last.forEach((key, was) -> {
            Value now = members.get(key);
            if (was instanceof MapValue old) {
                if (now == null) {
                    MapValue gone = withRemovals(MapValue.EMPTY, old);
                    if (!gone.isEmpty()) {
                        members.put(key, gone);
                    }
                } else if (now instanceof MapValue young) {
                    members.put(key, withRemovals(young, old));
                }
            } else if (now == null && was != Null.NULL) {
                members.put(key, Null.NULL);
            }
        });
        return members.build();
    }
}
