package dev.strake.cli.local;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reports why the broker cannot write any more. Kafka then ends the process at once. */
final class BrokerEnd {

    /** Kafka and RocksDB fail to write before the last byte is used. */
    private static final long FULL = 1 << 20;

    private final Path data;
    private final Terminal terminal;
    private final AtomicBoolean isReported = new AtomicBoolean();

    private BrokerEnd(Path data, Terminal terminal) {
        this.data = data;
        this.terminal = terminal;
    }

    /**
     * Runs work that depends on a broker.
     *
     * @param data the folder of the broker and the stores
     * @throws MisconfiguredException if the disk is full, before the work or after its failure
     */
    static int during(Path data, Terminal terminal, Callable<Integer> work) throws Exception {
        BrokerEnd end = new BrokerEnd(data, terminal);
        if (end.isFull()) {
            throw new MisconfiguredException(end.sentence());
        }
        EmbeddedBroker.insteadOfEndingTheProcess(end::halt);
        try {
            return work.call();
        } catch (Exception e) {
            if (end.isFull()) {
                throw new MisconfiguredException(end.sentence(), e);
            }
            throw e;
        }
    }

    private void halt() {
        if (isReported.compareAndSet(false, true)) {
            terminal.say("strake: " + sentence());
            Runtime.getRuntime().halt(isFull() ? ExitCode.USAGE : ExitCode.BUG);
        }
    }

    private String sentence() {
        return isFull()
                ? "The disk with %s is full, so the broker cannot write. Free some space and start again; no accepted change is lost."
                        .formatted(data)
                : "The broker stopped because it could not use %s. Start again with STRAKE_KAFKA_LOG=warn to see why."
                        .formatted(data);
    }

    private boolean isFull() {
        try {
            Path there = data;
            while (there != null && !Files.exists(there)) {
                there = there.getParent();
            }
            return there != null && Files.getFileStore(there).getUsableSpace() < FULL;
        } catch (IOException e) {
            return false;
        }
    }
}
