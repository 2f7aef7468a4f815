package dev.strake.remote.fetch;

import dev.strake.engine.tree.MapValue;
import java.time.Duration;

/** Who hears what a fetcher does. Several threads may call. */
public interface FetchListener {

    /**
     * An attempt is over.
     *
     * @param status the document {@code razee/RemoteResourceStatus/v1alpha2}
     */
    void attempted(String workspace, MapValue status);

    /** The resource is gone, and what it had put into its bucket was removed or left. */
    void released(String workspace, String name);

    /** Kafka failed; the fetcher begins anew after a pause. */
    void failed(Exception reason, Duration pause);
}
