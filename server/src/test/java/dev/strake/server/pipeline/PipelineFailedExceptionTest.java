package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.MisconfiguredException;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDBException;

class PipelineFailedExceptionTest {

    private static final Path STATE = Path.of("/state");

    @Test
    void shouldLeaveAFullDiskToTheOperator() {
        assertThat(PipelineFailedException.of(
                        failure("While appending to file: /state/7.sst: No space left on device"), STATE))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessage(
                        "The disk with /state is full. Free some space and start again; no accepted change is lost.");
    }

    @Test
    void shouldNameTheDirectoryToDeleteWhenFilesAreDamaged() {
        assertThat(PipelineFailedException.of(failure("block checksum mismatch in /state/7.sst"), STATE))
                .isInstanceOf(PipelineFailedException.class)
                .hasMessageContainingAll("block checksum mismatch", "delete the directory /state");
    }

    private static ProcessorStateException failure(String cause) {
        return new ProcessorStateException("Error while executing put", new RocksDBException(cause));
    }
}
