package dev.strake.server.access;

import dev.strake.client.NewChange;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Text;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records who published changes and who read secrets, one line each:
 *
 * <pre>
 *  write principal="alice" workspace=site-a bucket=b type=dev.strake.bucket.put change="42" bytes=1234
 *  secrets shown principal="alice" what="/workspaces/site-a/rendered" revision="12" schema="armada/Chart/v1" name="nova"
 * </pre>
 *
 * <p>It has its own logger, so that operators can give it its own file and level. Lines contain no values of documents,
 * and no query strings, which may hold guesses of such values.
 */
public final class AuditLog {

    /** The name of the logger; all lines have the level INFO. */
    public static final String LOGGER = "dev.strake.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private AuditLog() {}

    /**
     * Writes a line.
     *
     * @param event for example {@code secrets shown}
     * @param what the requested path, still encoded
     * @param details further entries, written in iteration order
     */
    public static void record(String event, Principal who, String what, Map<String, String> details) {
        StringBuilder line = new StringBuilder(event);
        add(line, "principal", who.name());
        add(line, "what", what);
        details.forEach((name, value) -> add(line, name, value));
        LOG.info("{}", line);
    }

    /** Records that a change is about to be published. */
    public static void written(Principal who, NewChange change) {
        LOG.info(
                "write principal={} workspace={} bucket={} type={} change={} bytes={}",
                quoted(who.name()),
                change.workspace(),
                change.bucket() == null ? "-" : change.bucket(),
                change.type().text(),
                quoted(change.id()),
                change.bytes());
    }

    /* Names and ids are printable ASCII. */
    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /* Encodes the value as a JSON string, so that no value can end the line or look like another entry. */
    private static void add(StringBuilder line, String name, String value) {
        line.append(' ').append(name).append('=').append(JsonBytes.text(new Text(value)));
    }
}
