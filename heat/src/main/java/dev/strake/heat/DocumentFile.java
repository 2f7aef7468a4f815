package dev.strake.heat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.SourceFile;
import java.nio.charset.StandardCharsets;

/**
 * The rendered data of a document as a file. If the data is text, that is the text of the file. Otherwise it is the data as
 * JSON, as Heat's client sends templates. Text is not read as YAML: a template or environment has to be a mapping.
 */
final class DocumentFile implements SourceFile {

    private final String name;
    private final Value data;
    private String text;

    DocumentFile(String name, Value data) {
        this.name = name;
        this.data = data;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String text() {
        if (text == null) {
            text = data instanceof Text plain
                    ? plain.value()
                    : data == Null.NULL ? "" : new String(JsonBytes.of(data), StandardCharsets.UTF_8);
        }
        return text;
    }

    @Override
    public Value tree() {
        return data;
    }

    /** Null: documents have paths, and no lines. */
    @Override
    public Location locate(String place) {
        return null;
    }
}
