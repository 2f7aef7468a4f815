package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.serdes.outcome.Outcome;
import java.util.List;

/** Writes the outcome of a change for people. */
public record OutcomeOutput(Terminal terminal) {

    /** The maximum number of listed documents, so that they fit on a terminal. */
    public static final int MOST_NAMED = 20;

    /**
     * Writes an outcome.
     *
     * @param published a line for each of the first rendered documents that the change published or removed
     */
    public void print(Outcome outcome, List<String> published) {
        Table table = new Table("STATUS", "REVISION", "DOCUMENTS", "AFFECTED", "EVALUATED", "EMITTED", "RENDERED");
        Outcome.Documents documents = outcome.documents();
        table.add(
                outcome.status().text(),
                outcome.revision(),
                "%d +%d ~%d -%d"
                        .formatted(documents.total(), documents.added(), documents.changed(), documents.removed()),
                outcome.work().affected(),
                outcome.work().evaluated(),
                outcome.work().emitted(),
                outcome.published().records());
        table.print(terminal);
        published.forEach(line -> terminal.print("  " + line.replaceAll("\\p{Cntrl}", " ")));
        if (all(outcome) > published.size()) {
            terminal.print("  %s%s"
                    .formatted(
                            published.isEmpty() ? "" : "and ",
                            Counted.of(all(outcome) - published.size(), "rendered document")));
        }
        terminal.print("change " + outcome.change().id());
    }

    private static int all(Outcome outcome) {
        return outcome.work().emitted() + outcome.work().removed();
    }
}
