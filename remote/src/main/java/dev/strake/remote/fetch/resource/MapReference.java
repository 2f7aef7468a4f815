package dev.strake.remote.fetch.resource;

import dev.strake.engine.identity.DocumentKey;

/**
 * A reference to a Kubernetes object, which is a document of the workspace.
 *
 * @param document the key of its document, see {@link dev.strake.remote.object.ObjectDocument}
 * @param isSecret whether the values are in base64
 * @param optional whether the object may be missing
 */
record MapReference(DocumentKey document, boolean isSecret, boolean optional) {}
