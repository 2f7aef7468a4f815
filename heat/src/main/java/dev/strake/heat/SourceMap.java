package dev.strake.heat;

import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.Sources;
import java.util.Map;
import java.util.Set;

/** Files that are all there. */
public record SourceMap(Map<String, SourceFile> files) implements Sources {

    public SourceMap {
        files = Map.copyOf(files);
    }

    @Override
    public SourceFile get(String name) {
        return files.get(name);
    }

    @Override
    public Set<String> names() {
        return files.keySet();
    }
}
