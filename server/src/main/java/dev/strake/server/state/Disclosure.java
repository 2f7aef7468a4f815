package dev.strake.server.state;

import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
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
 * Decides how whoever asks is shown secrets: redacted, unless clear text is asked for by somebody who may see it. An answer that
 * has secrets is recorded, by the instance that answers; it decides for itself, whoever passed the question on.
 */
public final class Disclosure {

    public static final String PARAMETER = "cleartext-secrets";

    /** What is recorded of a question, if it has it. A query or a label could be a guess. */
    private static final List<String> RECORDED =
            List.of("revision", "against", "schema", "name", "metadata.name", "path");

    private final KeyedHash hash;

    Disclosure(KeyedHash hash) {
        this.hash = hash;
    }

    /**
     * How secrets of a workspace are shown to somebody.
     *
     * @param mayTry whether changes may be tried on secret documents: each try answers a guess about them
     */
    public record SecretsShown(Redaction redaction, boolean mayTry) {}

    /** Refuses clear text to somebody who may not see it. */
    void check(Request request, String workspace) {
        if (isAsked(request) && !isAllowed(request, workspace)) {
            throw refused(request, workspace);
        }
    }

    /** Whether somebody may see clear text. */
    public static boolean isAllowed(Request request, String workspace) {
        return request.principal().has(Role.SECRETS_READER, workspace);
    }

    /** The answer to somebody who may not see it, which is recorded. */
    public static RefusedException refused(Request request, String workspace) {
        record("secrets refused", request);
        return Refused.forbidden("%s may not see secrets: that needs %s@%s."
                .formatted(request.principal().name(), Role.SECRETS_READER.text(), workspace));
    }

    /** How secrets are shown to somebody whom check lets pass. */
    SecretsShown to(Request request, String workspace) {
        return shown(
                request.principal(), workspace, isAsked(request) ? recorded(request) : Redaction.of(hash, workspace));
    }

    /* An answer that turns out to have no secrets is not recorded. */
    private static Redaction recorded(Request request) {
        AtomicBoolean isRecorded = new AtomicBoolean();
        return Redaction.cleartext(() -> {
            if (isRecorded.compareAndSet(false, true)) {
                shown(request);
            }
        });
    }

    /** How secrets are shown to somebody who did not ask for clear text. */
    SecretsShown redacted(Request request, String workspace) {
        return shown(request.principal(), workspace, Redaction.of(hash, workspace));
    }

    private static SecretsShown shown(Principal who, String workspace, Redaction redaction) {
        return new SecretsShown(
                redaction, who.has(Role.PUBLISHER, workspace) || who.has(Role.SECRETS_READER, workspace));
    }

    /** Records an answer that has secrets, before it is given. */
    public static void shown(Request request) {
        record("secrets shown", request);
    }

    private static void record(String event, Request request) {
        Map<String, String> details = new LinkedHashMap<>();
        RECORDED.forEach(name -> request.parameter(name).ifPresent(value -> details.put(name, value)));
        AuditLog.record(event, request.principal(), request.target().replaceFirst("\\?.*", ""), details);
    }

    private static boolean isAsked(Request request) {
        return request.isTrue(PARAMETER, false);
    }
}
