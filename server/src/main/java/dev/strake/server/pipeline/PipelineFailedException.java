package dev.strake.server.pipeline;

import dev.strake.client.MisconfiguredException;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.serdes.bytes.UnreadableStoreException;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.rocksdb.RocksDBException;

/**
 * The pipeline stopped because of a bug or broken state, and a restart would fail in the same way. The message names
 * the kind of failure, its location and what to do; it quotes no document.
 */
public final class PipelineFailedException extends RuntimeException {

    private PipelineFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /*
     * Quotes only messages about keys, files and stores: keys contain only names, and RocksDB reports files and
     * checksums. Messages of other exceptions may quote documents. A full disk is for the operator to mend.
     */
    static RuntimeException of(Throwable failure, Path stateDirectory) {
        String damage = null;
        boolean isOfStores = false;
        Throwable innermost = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnreadableStoreException
                    || each instanceof UnderivableException
                    || each instanceof RocksDBException) {
                damage = each.getMessage();
            }
            if (String.valueOf(each.getMessage()).contains("No space left on device")) {
                return new MisconfiguredException(
                        "The disk with %s is full. Free some space and start again; no accepted change is lost."
                                .formatted(stateDirectory),
                        failure);
            }
            isOfStores |= each instanceof ProcessorStateException;
            innermost = each;
        }
        String place =
                innermost.getStackTrace().length == 0 ? "" : " at " + innermost.getStackTrace()[0];
        String what = damage == null ? innermost.getClass().getName() + place : damage;
        String remedy = damage == null && !isOfStores
                ? "it continues with the same change once this is fixed."
                : mendingStores(stateDirectory);
        return new PipelineFailedException(
                "The pipeline stopped: %s. Nothing was skipped; %s".formatted(what, remedy), failure);
    }

    private static String mendingStores(Path stateDirectory) {
        return "if files are damaged, delete the directory %s: the next start restores the stores from their changelogs and continues with the same change."
                .formatted(stateDirectory);
    }
}
