package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import java.io.IOException;
import java.time.Duration;

/**
 * The settings that the owner of a cluster keeps in the ConfigMap {@code razeedeploy-config}. They are read again while
 * the applier runs.
 */
final class ClusterConfig {

    private static final String NAME = "razeedeploy-config";
    private static final Duration FRESH = Duration.ofSeconds(2);

    private final ApiServer server;
    private final String path;
    private Settings settings;
    private long readAt;

    /**
     * The settings.
     *
     * @param isLocked whether the applier may not change anything
     * @param impersonates whether requests impersonate another user
     */
    record Settings(boolean isLocked, boolean impersonates) {}

    ClusterConfig(ApiServer server, String namespace) {
        this.server = server;
        this.path = "/api/v1/namespaces/" + namespace + "/configmaps/" + NAME;
    }

    /** Returns the settings, at most two seconds old. If they cannot be read, nothing is assumed about them. */
    synchronized Settings now() throws IOException {
        if (settings == null || System.nanoTime() - readAt > FRESH.toNanos()) {
            try {
                MapValue data = server.get(path, null).orElse(MapValue.EMPTY).map("data");
                settings = new Settings(isTrue(data, "lock-cluster"), isTrue(data, "enable-impersonation"));
                readAt = System.nanoTime();
            } catch (ApiFailure e) {
                settings = null;
                throw new IOException(
                        "whether the cluster is locked cannot be read from %s: %s".formatted(path, e.told(false)));
            }
        }
        return settings;
    }

    private static boolean isTrue(MapValue data, String key) {
        return data.text(key).trim().equalsIgnoreCase("true");
    }
}
