package dev.strake.engine.render;

import dev.strake.engine.limit.ChangeEffort;

/**
 * The limits of one change. All inspections of a rendering share them.
 *
 * @param effort counts the work
 * @param records room for the JSON of records that are kept for publishing
 * @param data counts the heap of rendered data that other documents are made from
 */
record Allowance(ChangeEffort effort, Room records, HeapLimit data) {

    /** Bytes of records that are kept for publishing. Records beyond this limit are computed again. */
    private static final long KEPT_RECORD_BYTES = 32L << 20;

    Allowance(ChangeEffort effort) {
        this(effort, new Room(KEPT_RECORD_BYTES), new HeapLimit());
    }

    /** The bytes that are left. */
    static final class Room {

        private long left;

        private Room(long bytes) {
            left = bytes;
        }

        /* Reserves room for a record. False if there is no record, or no room. */
        synchronized boolean take(RecordJson record) {
            if (record == null || left < record.json().length) {
                return false;
            }
            left -= record.json().length;
            return true;
        }
    }
}
