package dev.strake.client;

import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.List;

/**
 * Gets secrets from a running Strake, for consumers of records that contain references or masks instead. Sends one
 * request for a document, for the revision that published the record: a reference alone would lead to the newest value.
 */
public final class SecretsFromService {

    private static final String DATA = "data";

    private final StateClient service;

    /** @param service its token needs the role {@code secrets-reader}, if the service requires tokens */
    public SecretsFromService(StateClient service) {
        this.service = service;
    }

    /**
     * Returns a record with its secrets in clear text. Returns a record without references or masks unchanged.
     *
     * @throws NotFoundException if the revision of the record was pruned, or lacks one of the values
     * @throws StateClient.RefusedException if the token lacks the permission
     * @throws KafkaUnavailableException if the service does not answer
     */
    public RenderedRecord inClear(RenderedRecord record) throws NotFoundException, InterruptedException {
        if (!record.isRedacted() || record.document().isEmpty()) {
            return record;
        }
        List<Parameter> question = List.of(
                new Parameter("schema", record.key().document().schema()),
                new Parameter("name", record.key().document().name()),
                new Parameter("revision", Long.toString(record.headers().revision())),
                new Parameter("cleartext-secrets", "true"));
        for (Value item :
                service.list(record.key().workspace(), "rendered", question).items()) {
            if (item instanceof MapValue rendered && rendered.has(DATA)) {
                try {
                    return record.inClear(rendered);
                } catch (IllegalArgumentException e) {
                    throw (NotFoundException) notFound(record).initCause(e);
                }
            }
        }
        throw notFound(record);
    }

    private static NotFoundException notFound(RenderedRecord record) {
        return new NotFoundException("The service has no %s in revision %d."
                .formatted(record.key().text(), record.headers().revision()));
    }
}
