package dev.strake.service;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Dependencies point one way: engine ← serdes ← topology ← service. This module sees all classes, so it watches. */
class ArchitectureTest {

    private static final JavaClasses STRAKE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.strake");

    @Test
    void shouldLetDependenciesPointFromServiceToEngineOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .withOptionalLayers(true)
                .layer("engine")
                .definedBy("dev.strake.engine..")
                .layer("serdes")
                .definedBy("dev.strake.serdes..")
                .layer("topology")
                .definedBy("dev.strake.topology..")
                .layer("service")
                .definedBy("dev.strake.service..")
                .whereLayer("engine")
                .mayNotAccessAnyLayer()
                .whereLayer("serdes")
                .mayOnlyAccessLayers("engine")
                .whereLayer("topology")
                .mayOnlyAccessLayers("engine", "serdes")
                .whereLayer("service")
                .mayNotBeAccessedByAnyLayer()
                .check(STRAKE);
    }

    @Test
    void shouldKeepPackagesFreeOfCycles() {
        slices().matching("dev.strake.(**)").should().beFreeOfCycles().check(STRAKE);
    }

    @Test
    void shouldKeepTheEnginePure() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.strake.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "org.yaml..",
                        "java.io..",
                        "java.nio.file..",
                        "java.net..",
                        "java.util.concurrent..",
                        "java.time..")
                .because("rendering is a function of documents: no Kafka, no I/O, no threads, no clock")
                .allowEmptyShould(true)
                .check(STRAKE);
    }
}
