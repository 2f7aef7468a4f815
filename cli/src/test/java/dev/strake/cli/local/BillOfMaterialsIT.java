package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bill of materials of the distribution names every library, and each licence permits redistribution. */
class BillOfMaterialsIT {

    /**
     * Licences that permit redistribution with a program under the Apache License. If a library has several, the
     * user may choose one, so one accepted licence is enough.
     */
    private static final Set<String> ACCEPTED =
            Set.of("Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "Go License");

    @Test
    void shouldNameEveryLibraryThatIsShipped() throws Exception {
        Set<String> named = new TreeSet<>();
        for (JsonNode component : bill().get("components")) {
            named.add(component.get("name").asText() + "-"
                    + component.get("version").asText() + ".jar");
        }
        try (Stream<Path> files = Files.list(Path.of("target", "lib"))) {
            Set<String> shipped =
                    files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
            assertThat(named).isEqualTo(shipped);
        }
    }

    @Test
    void shouldShipOnlyPermittedLibraries() throws Exception {
        TreeMap<String, Set<String>> refused = new TreeMap<>();
        for (JsonNode component : bill().get("components")) {
            Set<String> licences = new TreeSet<>();
            for (JsonNode choice : component.path("licenses")) {
                JsonNode licence = choice.path("license");
                licences.add(licence.path("id")
                        .asText(licence.path("name")
                                .asText(choice.path("expression").asText())));
            }
            if (licences.stream().noneMatch(ACCEPTED::contains)) {
                refused.put(component.get("name").asText(), licences);
            }
        }
        assertThat(refused).isEmpty();
    }

    private static JsonNode bill() throws Exception {
        File target = new File("target");
        File bill = new File(target, "bom.json");
        boolean isOfThisBuild = bill.lastModified() >= new File(target, "strake.jar").lastModified();
        assumeTrue(isOfThisBuild, "Maven makes a bill of materials only if it is online");
        return new ObjectMapper().readTree(bill);
    }
}
