package dev.strake.server.state;

import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Value;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Principal;
import dev.strake.server.access.Role;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides how secrets are shown to a client: redacted, unless the client requests clear text and has permission.
 * Responses with clear text are recorded in the audit log. The responding instance checks permission itself, even if
 * the request was forwarded.
 */
public final class Disclosure {

    public static final String PARAMETER = "cleartext-secrets";

    /** Value of the parameter for programs that show no secrets, but need them for a comparison. */
    private static final String COMPARE = "compare";

    /** The parameters to record. Queries and labels are not recorded, because they may be guesses of secrets. */
    private static final List<String> RECORDED =
            List.of("revision", "against", "schema", "name", "metadata.name", "path");

    private final KeyedHash hash;

    Disclosure(KeyedHash hash) {
        this.hash = hash;
    }

    /**
     * How a client sees the secrets of a workspace.
     *
     * @param mayTry whether the client may try changes on secret documents; each try answers a guess about them
     * @param recording records that secrets were shown
     */
    public record SecretsShown(Redaction redaction, boolean mayTry, Runnable recording) {

        /** Returns a part of a response. If it contains secrets in clear text, that is recorded first. */
        public <T extends Value> T telling(T part) {
            if (redaction.isCleartext() && part.hasSecrets()) {
                recording.run();
            }
            return part;
        }
    }

    /** Rejects a request for clear text without permission. */
    void check(Request request, String workspace) {
        if (isAsked(request) && !isAllowed(request, workspace)) {
            throw refused(request, workspace);
        }
    }

    /** Whether the client may see clear text. */
    public static boolean isAllowed(Request request, String workspace) {
        return request.principal().has(Role.SECRETS_READER, workspace);
    }

    /** Returns the error for a client without permission, and records it. */
    public static RefusedException refused(Request request, String workspace) {
        record("secrets refused", request);
        return Refused.forbidden("%s may not see secrets: that needs %s@%s."
                .formatted(request.principal().name(), Role.SECRETS_READER.text(), workspace));
    }

    /** How secrets are shown to a client that has passed {@link #check}. */
    SecretsShown to(Request request, String workspace) {
        return shown(request, workspace, isAsked(request) ? Redaction.CLEARTEXT : Redaction.of(hash, workspace));
    }

    /** How secrets are shown to a client that did not request clear text. */
    SecretsShown redacted(Request request, String workspace) {
        return shown(request, workspace, Redaction.of(hash, workspace));
    }

    private static SecretsShown shown(Request request, String workspace, Redaction redaction) {
        Principal who = request.principal();
        AtomicBoolean isRecorded = new AtomicBoolean();
        return new SecretsShown(
                redaction, who.has(Role.PUBLISHER, workspace) || who.has(Role.SECRETS_READER, workspace), () -> {
                    if (isRecorded.compareAndSet(false, true)) {
                        shown(request);
                    }
                });
    }

    /** Records a response with secrets, before it is sent. */
    public static void shown(Request request) {
        record(isCompared(request) ? "secrets read" : "secrets shown", request);
    }

    private static void record(String event, Request request) {
        Map<String, String> details = new LinkedHashMap<>();
        RECORDED.forEach(name -> request.parameter(name).ifPresent(value -> details.put(name, value)));
        AuditLog.record(event, request.principal(), request.target().replaceFirst("\\?.*", ""), details);
    }

    private static boolean isAsked(Request request) {
        return isCompared(request) || request.isTrue(PARAMETER, false);
    }

    private static boolean isCompared(Request request) {
        return request.parameter(PARAMETER).filter(COMPARE::equals).isPresent();
    }
}
