package dev.strake.cli.output;

import dev.strake.topology.apply.AllProcessors;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes many values into texts on all processors and passes the texts on in order. At any time it holds a few hundred. */
final class TextsInOrder {

    static final int AT_ONCE = 512;

    private TextsInOrder() {}

    /**
     * Makes and passes on.
     *
     * @param text makes the text of one value; several threads call it
     * @param each gets the texts, in the thread of the caller
     */
    static <T> void of(List<T> values, Function<? super T, String> text, Consumer<String> each) {
        for (int from = 0; from < values.size(); from += AT_ONCE) {
            List<T> some = values.subList(from, Math.min(values.size(), from + AT_ONCE));
            AllProcessors.ON_DOCUMENTS.<T, String>each(some, text::apply).forEach(each);
        }
    }
}
