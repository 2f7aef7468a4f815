package dev.strake.heat.source;

import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the files that a template and its environments name, directly or through other files. Heat's client does the
 * same before it calls Heat.
 */
public final class ReachableFiles {

    private final Function<String, SourceFile> lookup;
    private final Map<String, SourceFile> files = new LinkedHashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Set<Way> followed = new HashSet<>();
    private final Deque<SourceFile> open = new ArrayDeque<>();

    /** A file, and whether it is read as an environment, which determines where it names files. */
    private record Way(String file, boolean environment) {}

    private ReachableFiles(Function<String, SourceFile> lookup) {
        this.lookup = lookup;
    }

    /**
     * Collects the files.
     *
     * @param template the root template; the result contains it only if another file names it. Null if there is none
     * @param lookup returns the file with a name; null if there is none
     */
    public static Map<String, SourceFile> collect(
            SourceFile template, List<String> environments, Function<String, SourceFile> lookup) {
        ReachableFiles reachable = new ReachableFiles(lookup);
        if (template != null) {
            reachable.follow(template, false);
        }
        for (String environment : environments) {
            SourceFile file = reachable.find(environment);
            if (file != null) {
                reachable.follow(file, true);
            }
        }
        while (!reachable.open.isEmpty()) {
            reachable.follow(reachable.open.poll(), false);
        }
        return reachable.files;
    }

    private SourceFile find(String name) {
        SourceFile file = files.get(name);
        if (file == null && !absent.contains(name)) {
            file = lookup.apply(name);
            if (file == null) {
                absent.add(name);
            } else {
                files.put(name, file);
            }
        }
        return file;
    }

    private void follow(SourceFile file, boolean environment) {
        if (!followed.add(new Way(file.name(), environment))) {
            return;
        }
        FileNames.Visitor visitor = new FileNames.Visitor() {
            @Override
            public String file(String name) {
                find(name);
                return name;
            }

            @Override
            public String template(String name) {
                SourceFile template = find(name);
                if (template != null) {
                    open.add(template);
                }
                return name;
            }
        };
        try {
            Value tree = file.tree();
            if (environment) {
                FileNames.inEnvironment(tree, visitor);
            } else {
                FileNames.inTemplate(tree, visitor);
            }
        } catch (UnreadableSourceException e) {
            return; // reported where the file is used
        }
    }
}
