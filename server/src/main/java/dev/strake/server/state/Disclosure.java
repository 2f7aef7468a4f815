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
 * Decides how whoever asks is shown secrets: redacted, unless clear text is asked for by somebody who may see it. An answer that
 * has secrets in clear text is recorded, by the instance that answers; it decides for itself, whoever passed the question on.
 */
public final class Disclosure {

    public static final String PARAMETER = "cleartext-secrets";

    /** What a program gives for it that shows no secret, but has to compare what comes of them. */
    private static final String COMPARE = "compare";

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
     * @param recording records that secrets are shown
     */
    public record SecretsShown(Redaction redaction, boolean mayTry, Runnable recording) {

        /** A part of an answer. If it has secrets in clear text, that is recorded before it is given. */
        public <T extends Value> T telling(T part) {
            if (redaction.isCleartext() && part.hasSecrets()) {
                recording.run();
            }
            return part;
        }
    }

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
        return shown(request, workspace, isAsked(request) ? Redaction.CLEARTEXT : Redaction.of(hash, workspace));
    }

    /** How secrets are shown to somebody who did not ask for clear text. */
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

    /** Records an answer that has secrets, before it is given. */
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
