package dev.strake.remote.apply.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.testing.kubernetes.TestCluster;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServerTest {

    @TempDir
    Path folder;

    @Test
    void shouldRefuseAMissingContext() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            Optional<Path> kubeconfig = Optional.of(cluster.kubeconfig(folder));
            ApiServer.connect(kubeconfig, Optional.of("here"), (method, code) -> {})
                    .close();
            assertThatThrownBy(() -> ApiServer.connect(kubeconfig, Optional.of("elsewhere"), (method, code) -> {}))
                    .isInstanceOfSatisfying(
                            FileSystemException.class,
                            e -> assertThat(e.getReason()).isEqualTo("it has no context elsewhere"));
        }
    }
}
