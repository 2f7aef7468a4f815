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
 * The files that a template and its environments lead to, as Heat's client collects them before it calls Heat: all that
 * they name, directly or through other files.
 */
public final class ReachableFiles {

    private final Function<String, SourceFile> lookup;
    private final Map<String, SourceFile> files = new LinkedHashMap<>();
    private final Set<String> absent = new HashSet<>();
    private final Set<Way> followed = new HashSet<>();
    private final Deque<SourceFile> open = new ArrayDeque<>();

    /** A file and whether it is read as an environment: that decides where names stand in it. */
    private record Way(String file, boolean environment) {}

    private ReachableFiles(Function<String, SourceFile> lookup) {
        this.lookup = lookup;
    }

    /**
     * Collects the files.
     *
     * @param template the template at the top, which is not among them unless something names it; null if there is none
     * @param lookup the file of a name; null if there is none
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
