package dev.strake.serdes.text;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;

/**
 * Short texts that were read a moment ago, so that those that come again and again are one object: the keys and many values
 * of 200,000 documents are the same few. It holds a bounded number, and compares each text with one other at the most.
 *
 * <p>Several threads may use it. All it holds is immutable, so what a race costs is a text that is not shared.
 */
final class Repeated {

    private static final int KEPT = 1 << 10;

    /** A longer text is seldom repeated. */
    private static final int LONGEST = 64;

    private final String[] keys = new String[KEPT];
    private final Text[] texts = new Text[KEPT];
    private final RecentShapes shapes = new RecentShapes();

    String key(String key) {
        if (key.length() > LONGEST) {
            return key;
        }
        int slot = slot(key);
        String recent = keys[slot];
        if (key.equals(recent)) {
            return recent;
        }
        keys[slot] = key;
        return key;
    }

    Text text(Text text) {
        if (text.value().length() > LONGEST) {
            return text;
        }
        int slot = slot(text.value());
        Text recent = texts[slot];
        if (text.equals(recent)) {
            return recent;
        }
        texts[slot] = text;
        return text;
    }

    MapValue build(MapValue.Builder map) {
        return map.build(shapes);
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ (hash >>> 16)) & (KEPT - 1);
    }
}
