package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.List;

/** Texts that somebody might publish who wants look-ups to be slow. */
public final class Colliding {

    private Colliding() {}

    /** Different texts of which Java's hash codes are equal: two to the power of this number. */
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
