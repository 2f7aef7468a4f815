package dev.strake.checks.chaos;

/** The Kafka of a run. */
interface Kafka {

    /** Starts it, at free ports for the first time, and returns when it answers. */
    void start();

    String bootstrapServers();

    /** How many brokers hold each record. */
    short replicas();

    /** In order, so that the next start has nothing to mend. */
    void stop();

    boolean isRunning();
}
