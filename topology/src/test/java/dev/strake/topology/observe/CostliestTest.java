package dev.strake.topology.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.topology.observe.ProcessedChange.Costly;
import org.junit.jupiter.api.Test;

class CostliestTest {

    private final Costliest costliest = new Costliest();

    private static DocumentId document(String name) {
        return new DocumentId("t/A/v1", "site", name);
    }

    @Test
    void shouldKeepTheFiveDocumentsWithMostSteps() {
        for (int steps : new int[] {3, 9, 1, 7, 5, 8, 2}) {
            costliest.worked(document("d" + steps), steps);
        }

        assertThat(costliest.found()).extracting(Costly::steps).containsExactly(9L, 8L, 7L, 5L, 3L);
    }

    @Test
    void shouldAddUpInspectionAndDerivationOfADocument() {
        for (int steps = 6; steps <= 10; steps++) {
            costliest.worked(document("d" + steps), steps);
        }
        costliest.worked(document("d6"), 5); // less than each kept document

        assertThat(costliest.found()).contains(new Costly(document("d6"), 11)).hasSize(5);
    }
}
