package dev.strake.engine.template.source;

import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the files that a template and its environments lead to, as Heat's client does before it asks Heat: what they
 * name, what that names in turn, and nothing else. Which names a file leads to is read again only if the file differs.
 */
public final class ReachableFiles {

    private Map<Way, Names> known = new HashMap<>();

    /** A file and whether it is read as an environment: that decides where names stand in it. */
    private record Way(String file, boolean environment) {}

    private record Names(SourceFile source, List<String> templates, List<String> plain) {

        boolean areOf(SourceFile other) {
            return source == other || source.fingerprint().equals(other.fingerprint());
        }
    }

    /**
     * Files that were collected.
     *
     * @param files those that are there, by name
     * @param absent the names that lead nowhere
     */
    public record Collected(Map<String, SourceFile> files, Set<String> absent) implements Sources {

        @Override
        public SourceFile get(String name) {
            return files.get(name);
        }

        @Override
        public Set<String> names() {
            return files.keySet();
        }
    }

    /**
     * Collects the files.
     *
     * @param template the template at the top, which is not among them unless something names it; null if there is none
     * @param lookup the file of a name; null if there is none
     */
    public Collected collect(SourceFile template, List<String> environments, Function<String, SourceFile> lookup) {
        Collecting collecting = new Collecting(lookup);
        if (template != null) {
            collecting.follow(template, false);
        }
        for (String environment : environments) {
            SourceFile file = collecting.find(environment);
            if (file != null) {
                collecting.follow(file, true);
            }
        }
        collecting.finish();
        known = collecting.followed;
        return new Collected(collecting.files, collecting.absent);
    }

    private final class Collecting {

        private final Function<String, SourceFile> lookup;
        private final Map<String, SourceFile> files = new LinkedHashMap<>();
        private final Set<String> absent = new HashSet<>();
        private final Map<Way, Names> followed = new HashMap<>();
        private final Deque<SourceFile> open = new ArrayDeque<>();

        Collecting(Function<String, SourceFile> lookup) {
            this.lookup = lookup;
        }

        SourceFile find(String name) {
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

        void follow(SourceFile file, boolean environment) {
            Way way = new Way(file.name(), environment);
            if (followed.containsKey(way)) {
                return;
            }
            Names names = known.get(way);
            if (names == null || !names.areOf(file)) {
                names = names(file, environment);
            }
            followed.put(way, names);
            names.plain.forEach(this::find);
            for (String name : names.templates) {
                SourceFile template = find(name);
                if (template != null) {
                    open.add(template);
                }
            }
        }

        void finish() {
            while (!open.isEmpty()) {
                follow(open.poll(), false);
            }
        }
    }

    private static Names names(SourceFile file, boolean environment) {
        List<String> templates = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        FileNames.Visitor visitor = new FileNames.Visitor() {
            @Override
            public String file(String name) {
                plain.add(name);
                return name;
            }

            @Override
            public String template(String name) {
                templates.add(name);
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
            return new Names(file, List.of(), List.of()); // whoever uses it will say so
        }
        return new Names(file, List.copyOf(templates), List.copyOf(plain));
    }
}
