package dev.strake.cli.local;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Dependencies point one way. This module depends on all others, so the test is here. */
class ArchitectureTest {

    private static final JavaClasses STRAKE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.strake");

    /** Each module, and the modules that it may depend on. */
    private static final Map<String, String[]> MODULES = Map.of(
            "engine",
            new String[] {},
            "serdes",
            new String[] {"engine"},
            "heat",
            new String[] {"engine", "serdes"},
            "client",
            new String[] {"engine", "serdes"},
            "remote",
            new String[] {"engine", "serdes", "client"},
            "topology",
            new String[] {"engine", "serdes"},
            "server",
            new String[] {"engine", "serdes", "client", "topology"},
            "cli",
            new String[] {"engine", "serdes", "heat", "client", "remote", "topology", "server"});

    @Test
    void shouldLetDependenciesPointOneWay() {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String module : MODULES.keySet()) {
            layers = layers.layer(module).definedBy("dev.strake." + module + "..");
        }
        for (Map.Entry<String, String[]> module : MODULES.entrySet()) {
            layers = module.getValue().length == 0
                    ? layers.whereLayer(module.getKey()).mayNotAccessAnyLayer()
                    : layers.whereLayer(module.getKey()).mayOnlyAccessLayers(module.getValue());
        }
        layers.check(STRAKE);
    }

    @Test
    void shouldUseOnlyLibrariesThatAreShipped() {
        only("org.apache.kafka.streams..", "topology", "server", "cli");
        only("io.micrometer..", "server", "cli");
        only("picocli..", "cli");
        only("kafka..", "server.broker");
        only("scala..", "server.broker");
    }

    private static void only(String library, String... modules) {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackages(Stream.of(modules)
                        .map(module -> "dev.strake." + module + "..")
                        .toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(STRAKE);
    }

    @Test
    void shouldHaveEveryClassInAModule() {
        ArchRuleDefinition.classes()
                .should()
                .resideInAnyPackage(MODULES.keySet().stream()
                        .map(module -> "dev.strake." + module + "..")
                        .toArray(String[]::new))
                .check(STRAKE);
    }

    @Test
    void shouldKeepPackagesFreeOfCycles() {
        slices().matching("dev.strake.(**)").should().beFreeOfCycles().check(STRAKE);
    }

    /* RecordHeaders is allowed, because Kafka has no public implementation of headers. */
    @Test
    void shouldUseNoInternalsOfKafka() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideOutsideOfPackage("dev.strake.server.broker..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                                "org.apache.kafka..internals..", "org.apache.kafka..internal..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(RecordHeaders.class))))
                .check(STRAKE);
    }

    @Test
    void shouldKeepTheEnginePure() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.strake.engine..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAnyPackage(
                                "org.apache.kafka..",
                                "org.yaml..",
                                "java.io..",
                                "java.nio.file..",
                                "java.net..",
                                "java.util.concurrent..")
                        // Jackson declares it even for methods that read bytes in memory.
                        .and(DescribedPredicate.not(JavaClass.Predicates.type(IOException.class))))
                .because("rendering is a function of documents: no Kafka, no I/O, no threads, no clock")
                .allowEmptyShould(true)
                .check(STRAKE);
    }

    /* Durations between given times need java.time, but no clock. */
    @Test
    void shouldKeepTheEngineFromReadingTheClock() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.strake.engine..")
                .should()
                .callMethodWhere(JavaCall.Predicates.target(HasName.Predicates.name("now"))
                        .and(JavaCall.Predicates.target(
                                HasOwner.Predicates.With.owner(JavaClass.Predicates.resideInAPackage("java.time..")))))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .check(STRAKE);
    }
}
