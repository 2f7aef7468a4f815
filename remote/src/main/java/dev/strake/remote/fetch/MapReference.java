package dev.strake.remote.fetch;

import dev.strake.engine.identity.DocumentKey;

/**
 * A reference to an object of Kubernetes, which is a document of the workspace.
 *
 * @param document its name among documents, see {@link KubernetesObject}
 * @param isSecret whether its values are in base64
 * @param optional whether it may be missing
 */
record MapReference(DocumentKey document, boolean isSecret, boolean optional) {}
