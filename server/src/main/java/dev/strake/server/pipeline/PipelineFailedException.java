package dev.strake.server.pipeline;

import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.serdes.bytes.UnreadableStoreException;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.rocksdb.RocksDBException;

/**
 * The pipeline has stopped by a mistake of its own or by broken state, and starting it again would end the same way.
 * The message names the kind of failure, its place and what to do, never what a document holds.
 */
public final class PipelineFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private PipelineFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /*
     * Of the messages of others those are safe to tell which speak of keys, files and stores: keys hold names, and
     * RocksDB tells of files and checksums. Any other may quote what it stumbled over.
     */
    static PipelineFailedException of(Throwable failure, Path stateDirectory) {
        String damage = null;
        boolean isOfStores = false;
        Throwable innermost = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnreadableStoreException
                    || each instanceof UnderivableException
                    || each instanceof RocksDBException) {
                damage = each.getMessage();
            }
            isOfStores |= each instanceof ProcessorStateException;
            innermost = each;
        }
        String place =
                innermost.getStackTrace().length == 0 ? "" : " at " + innermost.getStackTrace()[0];
        String what = damage == null ? innermost.getClass().getName() + place : damage;
        String remedy = damage == null && !isOfStores
                ? "it goes on from the same change once this is mended."
                : mendingStores(stateDirectory);
        return new PipelineFailedException(
                "The pipeline stopped: %s. Nothing was skipped; %s".formatted(what, remedy), failure);
    }

    private static String mendingStores(Path stateDirectory) {
        return ("if the disk is full, free some of it; if files are damaged, delete the directory %s: the stores are "
                        + "restored from their changelogs at the next start, which goes on from the same change.")
                .formatted(stateDirectory);
    }
}
