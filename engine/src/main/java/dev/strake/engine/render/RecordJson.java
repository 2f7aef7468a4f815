package dev.strake.engine.render;

import dev.strake.engine.tree.SecretPlaces;

/**
 * A record as it is published.
 *
 * @param json the value of the record
 * @param places where its data has secrets
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RecordJson(byte[] json, SecretPlaces places) {}
