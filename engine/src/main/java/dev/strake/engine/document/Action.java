package dev.strake.engine.document;

import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import java.util.Locale;

/** One step by which a child alters its parent's data. */
public final class Action {

    /** What is done at the path. */
    public enum Method {
        MERGE,
        REPLACE,
        DELETE;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Method method;
    private final String pathText;
    private Path path;

    public Action(Method method, String pathText) {
        this.method = method;
        this.pathText = pathText;
    }

    public Method method() {
        return method;
    }

    /** The path as the author wrote it. */
    public String pathText() {
        return pathText;
    }

    /** The path, compiled at first use. */
    public Path path() throws PathSyntaxException {
        if (path == null) {
            path = Path.ofAction(pathText);
        }
        return path;
    }
}
