package dev.strake.engine.render;

import dev.strake.engine.limit.ChangeEffort;

/**
 * What one change may take. All inspections of a rendering share it.
 *
 * @param effort counts the work
 * @param records room for the JSON of records that are kept for publishing
 * @param data counts the heap of rendered data that other documents are made from
 */
record Allowance(ChangeEffort effort, Room records, HeldData data) {

    /** Bytes of records that are kept for publishing. Records beyond it are made again. */
    private static final long KEPT_RECORD_BYTES = 32L << 20;

    Allowance(ChangeEffort effort) {
        this(effort, new Room(KEPT_RECORD_BYTES), new HeldData());
    }

    /** Bytes that are left. */
    static final class Room {

        private long left;

        private Room(long bytes) {
            left = bytes;
        }

        /* Whether there is a record, and room for it. */
        synchronized boolean take(RecordJson record) {
            if (record == null || left < record.json().length) {
                return false;
            }
            left -= record.json().length;
            return true;
        }
    }
}
