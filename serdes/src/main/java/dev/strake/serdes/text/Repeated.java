package dev.strake.serdes.text;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Short texts and numbers that were read a moment ago, so that those that come again and again are one object: the keys and
 * many values of 200,000 documents are the same few. It holds a bounded number, and compares each with one other at the most.
 *
 * <p>Several threads may use it. All it holds is immutable, so what a race costs is a value that is not shared.
 */
final class Repeated {

    private static final int KEPT = 1 << 10;

    /** A longer text is seldom repeated. */
    private static final int LONGEST = 64;

    private final String[] keys = new String[KEPT];
    private final Value[] scalars = new Value[KEPT];
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

    Value scalar(Value value) {
        String written = value instanceof Text text ? text.value() : value instanceof Num num ? num.literal() : null;
        if (written == null || written.length() > LONGEST) {
            return value;
        }
        int slot = slot(written);
        Value recent = scalars[slot];
        if (value.equals(recent)) {
            return recent;
        }
        scalars[slot] = value;
        return value;
    }

    MapValue build(MapValue.Builder map) {
        return map.build(shapes);
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ (hash >>> 16)) & (KEPT - 1);
    }
}
