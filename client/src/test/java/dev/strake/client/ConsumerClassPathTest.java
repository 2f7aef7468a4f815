package dev.strake.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The class path of a program that publishes changes and follows revisions; also that of the other tests here. */
class ConsumerClassPathTest {

    private static final String[] TREES_AND_IDENTITIES = {
        "dev.strake.engine.document..",
        "dev.strake.engine.identity..",
        "dev.strake.engine.limit..",
        "dev.strake.engine.path..",
        "dev.strake.engine.problem..",
        "dev.strake.engine.secret..",
        "dev.strake.engine.tree.."
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.networknt.schema.Schema",
                "com.google.re2j.Pattern",
                "org.organicdesign.fp.collections.PersistentHashMap",
                "org.rocksdb.RocksDB"
            })
    void shouldNotHaveTheLibrariesOfTheRenderer(String library) {
        assertThatThrownBy(() -> Class.forName(library)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void shouldReachTreesAndIdentitiesOfTheEngineAndNotTheRenderer() {
        JavaClasses strake = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.strake");
        noClasses()
                .that()
                .resideInAPackage("dev.strake.client..")
                .should()
                .transitivelyDependOnClassesThat(resideInAPackage("dev.strake.engine..")
                        .and(DescribedPredicate.not(resideInAnyPackage(TREES_AND_IDENTITIES))))
                .check(strake);
    }
}
