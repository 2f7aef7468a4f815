package dev.strake.engine.corpus;

import static dev.strake.engine.corpus.RecordedAnswers.list;
import static dev.strake.engine.corpus.RecordedAnswers.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * With what Deckhand refused a set, and whom it blames.
 *
 * @param code the name Strake has for it; null for a crash of Deckhand, which means nothing and names nobody
 * @param blamed documents at fault as regular expressions, because not every error tells the layer
 * @param checksAll whether Deckhand went on to other documents after the first mistake, as it does with schemas
 */
record RecordedError(String code, List<String> blamed, boolean checksAll) {

    static RecordedError of(MapValue recorded) {
        if (text(recorded, "kind").equals("untyped")) {
            return new RecordedError(null, List.of(), false);
        }
        List<String> blamed = new ArrayList<>();
        // Two documents of one identity: a matter of the format by one door of Deckhand, of its own by the other.
        String code = text(recorded, "error");
        for (Value message : list(recorded, "messages")) {
            if (text((MapValue) message, "message").equals("Duplicate document exists")) {
                code = ProblemCode.DUPLICATE_DOCUMENT_EXISTS.code();
            }
            list((MapValue) message, "documents").forEach(document -> blamed.add(document((MapValue) document, "")));
        }
        if (recorded.get("about") instanceof MapValue about) {
            for (Value member : list(about, "cycle_members")) {
                String[] parts = ((Text) member).value().split(" ", 3);
                blamed.add(Pattern.quote(new DocumentId(parts[0], parts[1], parts[2]).toString()));
            }
            Stream.of("document_", "child_", "dest_", "")
                    .filter(prefix -> about.has(prefix + "schema"))
                    .findFirst()
                    .ifPresent(prefix -> blamed.add(document(about, prefix)));
        }
        if (code.equals(ProblemCode.LAYERING_POLICY_NOT_FOUND.code())) {
            blamed.add("the workspace");
        }
        return new RecordedError(code, blamed, recorded.has("messages"));
    }

    private static String document(MapValue about, String prefix) {
        String layer = about.has(prefix + "layer") ? Pattern.quote(text(about, prefix + "layer")) : "[^,]*";
        return "\\[" + Pattern.quote(text(about, prefix + "schema")) + ", " + layer + ", "
                + Pattern.quote(text(about, prefix + "name")) + "]";
    }

    /** Fails unless the listed problems say this of all whom Deckhand blames; they may say more, where it stops. */
    void assertSaidBy(Collection<String> listed, String where) {
        assertThat(listed).as(where + ": what Strake answers").isNotEmpty();
        if (code == null) {
            return;
        }
        assertThat(blamed).as(where + ": documents at fault").isNotEmpty();
        // Where Deckhand checks all, Strake holds back those that depend on one that fails.
        String held = checksAll ? "( because of .*)?" : "";
        for (String document : blamed) {
            assertThat(listed)
                    .as(where + ": " + code + " of " + document)
                    .anyMatch(line -> line.matches(code + " " + document + held));
        }
    }
}
