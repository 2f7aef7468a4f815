package dev.strake.engine.document;

import dev.strake.engine.path.Path;
import dev.strake.engine.path.WrittenPath;
import java.util.Locale;

/** One step by which a child alters its parent's data. */
public record Action(Method method, WrittenPath path) {

    /** What is done at the path. */
    public enum Method {
        MERGE,
        REPLACE,
        DELETE;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Action(Method method, String path) {
        this(method, new WrittenPath(path, Path::ofAction));
    }
}
