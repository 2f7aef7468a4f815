package dev.strake.remote.fetch;

import dev.strake.engine.tree.MapValue;
import java.time.Duration;

/** Receives notifications from a fetcher. Several threads may call it. */
public interface FetchListener {

    /**
     * An attempt is complete.
     *
     * @param status the document {@code razee/RemoteResourceStatus/v1alpha2}
     */
    void attempted(String workspace, MapValue status);

    /** The resource is gone, and the documents in its bucket were removed or released. */
    void released(String workspace, String name);

    /** Kafka failed; the fetcher starts again after a pause. */
    void failed(Exception reason, Duration pause);
}
