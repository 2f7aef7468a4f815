package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.List;

/** Texts with equal hash codes, which an attacker could publish to make lookups slow. */
public final class Colliding {

    private Colliding() {}

    /** Different texts with equal hash codes in Java; their number is two to the given power. */
    public static List<String> texts(int doublings) {
        List<String> texts = List.of("");
        for (int i = 0; i < doublings; i++) {
            List<String> longer = new ArrayList<>();
            for (String text : texts) {
                longer.add(text + "Aa");
                longer.add(text + "BB");
            }
            texts = longer;
        }
        return texts;
    }
}
