package dev.strake.bench.state;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How much heap is in use by what is reachable. */
final class Heap {

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();

    private Heap() {}

    /** Bytes in use after full collections; more than one, as some objects need two to go. */
    static long used() {
        for (int i = 0; i < 3; i++) {
            MEMORY.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }
}
