package dev.strake.engine.graph;

import dev.strake.engine.tree.TextHash;
import java.util.List;

/** One or several texts as the key of an index. Its hash code is keyed, so that authors cannot make collisions. */
record Name(List<String> texts) {

    static Name of(String text) {
        return new Name(List.of(text));
    }

    @Override
    public int hashCode() {
        int hash = texts.size();
        for (String text : texts) {
            hash = TextHash.of(hash, TextHash.of(text));
        }
        return hash;
    }
}
