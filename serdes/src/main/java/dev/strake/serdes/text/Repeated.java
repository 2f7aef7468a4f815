package dev.strake.serdes.text;

import dev.strake.engine.tree.Text;

/**
 * Short texts that were read a moment ago, so that those that come again and again are one object: the keys and many values
 * of 200,000 documents are the same few. It holds a bounded number, and compares each text with one other at the most.
 */
final class Repeated {

    private static final int KEPT = 1 << 10;

    /** A longer text is seldom repeated. */
    private static final int LONGEST = 64;

    private final String[] keys = new String[KEPT];
    private final Text[] texts = new Text[KEPT];

    String key(String key) {
        if (key.length() > LONGEST) {
            return key;
        }
        int slot = slot(key);
        if (!key.equals(keys[slot])) {
            keys[slot] = key;
        }
        return keys[slot];
    }

    Text text(Text text) {
        if (text.value().length() > LONGEST) {
            return text;
        }
        int slot = slot(text.value());
        if (texts[slot] == null || !text.equals(texts[slot])) {
            texts[slot] = text;
        }
        return texts[slot];
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ (hash >>> 16)) & (KEPT - 1);
    }
}
