package io.kvern.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions of docs/architecture.md, held by the build. */
class ModuleRulesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.kvern");

    /** Each module's package, and what it must not know. */
    private static final Map<String, String[]> FORBIDDEN = Map.of(
            "io.kvern.model..",
            new String[] {
                "io.kvern.protocol..", "io.kvern.resp..", "io.kvern.store..", "io.kvern.ingest..", "io.kvern.streams..",
                "io.kvern.worker..", "io.kvern.broker..", "io.kvern.app..", "org.apache..", "io.netty.."
            },
            "io.kvern.protocol..",
            new String[] {
                "io.kvern.resp..",
                "io.kvern.store..",
                "io.kvern.ingest..",
                "io.kvern.streams..",
                "io.kvern.worker..",
                "io.kvern.broker..",
                "io.kvern.app..",
                "org.apache.kafka..",
                "io.netty.."
            },
            "io.kvern.resp..",
            new String[] {
                "io.kvern.protocol..",
                "io.kvern.store..",
                "io.kvern.ingest..",
                "io.kvern.streams..",
                "io.kvern.worker..",
                "io.kvern.broker..",
                "io.kvern.app..",
                "org.apache.."
            },
            "io.kvern.store..",
            new String[] {
                "io.kvern.protocol..",
                "io.kvern.resp..",
                "io.kvern.ingest..",
                "io.kvern.streams..",
                "io.kvern.worker..",
                "io.kvern.broker..",
                "io.kvern.app..",
                "org.apache..",
                "io.netty.."
            },
            "io.kvern.ingest..",
            new String[] {
                "io.kvern.resp..",
                "io.kvern.store..",
                "io.kvern.streams..",
                "io.kvern.worker..",
                "io.kvern.broker..",
                "io.kvern.app..",
                "org.apache.kafka.streams..",
                "io.netty.."
            },
            "io.kvern.streams..",
            new String[] {"io.kvern.worker..", "io.kvern.broker..", "io.kvern.app..", "org.rocksdb.."},
            "io.kvern.worker..",
            new String[] {
                "io.kvern.store..",
                "io.kvern.streams..",
                "io.kvern.broker..",
                "io.kvern.app..",
                "org.apache.kafka.streams..",
                "io.netty.."
            },
            "io.kvern.broker..",
            new String[] {
                "io.kvern.protocol..",
                "io.kvern.resp..",
                "io.kvern.store..",
                "io.kvern.ingest..",
                "io.kvern.streams..",
                "io.kvern.worker..",
                "io.kvern.app.."
            });

    @ParameterizedTest
    @MethodSource("modules")
    void modulesKnowOnlyWhatTheyMay(String module) {
        assertThat(CLASSES.that(JavaClass.Predicates.resideInAPackage(module)))
                .as("classes of " + module)
                .isNotEmpty();
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FORBIDDEN.getOrDefault(module, new String[0]));
        rule.check(CLASSES);
    }

    static Set<String> modules() {
        return FORBIDDEN.keySet();
    }

    @Test
    void onlyOneRoomImportsRocksDb() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.kvern.store.rocks..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(CLASSES);
    }

    @Test
    void theDoorsKnowNoKafkaStreams() {
        noClasses()
                .that()
                .resideInAPackage("io.kvern.streams.doors..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void roomsFormNoCycles() {
        slices().matching("io.kvern.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
