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
 * The error with which Deckhand rejected a set, and the documents that it names.
 *
 * @param code Strake's name for the error; null for a crash of Deckhand, which names no documents
 * @param blamed the documents at fault as regular expressions, because not every error contains the layer
 * @param checksAll whether Deckhand checks other documents after the first error, as for schemas
 */
record RecordedError(String code, List<String> blamed, boolean checksAll) {

    static RecordedError of(MapValue recorded) {
        if (text(recorded, "kind").equals("untyped")) {
            return new RecordedError(null, List.of(), false);
        }
        List<String> blamed = new ArrayList<>();
        // Two documents of one identity: a format error or a separate one, depending on Deckhand's route.
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

    /** Checks that the listed problems include all documents that Deckhand names, which may stop early. */
    void assertSaidBy(Collection<String> listed, String where) {
        assertThat(listed).as(where + ": what Strake answers").isNotEmpty();
        if (code == null) {
            return;
        }
        assertThat(blamed).as(where + ": documents at fault").isNotEmpty();
        // Where Deckhand checks all documents, Strake holds back the dependents of a failed one.
        String held = checksAll ? "( because of .*)?" : "";
        for (String document : blamed) {
            assertThat(listed)
                    .as(where + ": " + code + " of " + document)
                    .anyMatch(line -> line.matches(code + " " + document + held));
        }
    }
}
