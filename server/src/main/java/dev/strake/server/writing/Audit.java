package dev.strake.server.writing;

import dev.strake.client.NewChange;
import dev.strake.server.access.Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of who wrote what, in a logger of its own, {@code dev.strake.audit}: one line for each change that was taken.
 * It has no values, and nothing that a client could end a line with.
 */
final class Audit {

    private static final Logger LOG = LoggerFactory.getLogger("dev.strake.audit");

    private Audit() {}

    /** A change is about to be published. */
    static void taken(Principal principal, NewChange change) {
        LOG.info(
                "write principal={} workspace={} bucket={} type={} change={} bytes={}",
                quoted(principal.name()),
                change.workspace(),
                change.bucket() == null ? "-" : change.bucket(),
                change.type().text(),
                quoted(change.id()),
                change.bytes());
    }

    /* Names and ids are printable ASCII; quotes in them are doubled. */
    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }
}
