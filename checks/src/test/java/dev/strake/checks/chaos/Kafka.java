package dev.strake.checks.chaos;

/** The Kafka cluster of a run. */
interface Kafka {

    /** Starts the cluster, at free ports the first time, and returns when it answers. */
    void start();

    String bootstrapServers();

    /** The replication factor. */
    short replicas();

    /** Shuts down gracefully, so that the next start needs no recovery. */
    void stop();

    boolean isRunning();
}
