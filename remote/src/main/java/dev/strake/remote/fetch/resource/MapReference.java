package dev.strake.remote.fetch.resource;

import dev.strake.engine.identity.DocumentKey;

/**
 * A reference to an object of Kubernetes, which is a document of the workspace.
 *
 * @param document its name among documents, see {@link dev.strake.remote.object.ObjectDocument}
 * @param isSecret whether its values are in base64
 * @param optional whether it may be missing
 */
record MapReference(DocumentKey document, boolean isSecret, boolean optional) {}
