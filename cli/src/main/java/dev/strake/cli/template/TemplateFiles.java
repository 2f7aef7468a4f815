package dev.strake.cli.template;

import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.FileNames;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.UnreadableSourceException;
import dev.strake.serdes.text.PlainFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Collects the files of a tree as Heat's client does: resolves a name in a template or an environment relative to the
 * file that contains the name, and replaces it with the path.
 *
 * @param template the top template
 * @param environments their names, in order
 * @param files all files, including the environments
 * @param missing the faults of names without a file, whether or not the names are used
 */
public record TemplateFiles(
        SourceFile template, List<String> environments, Map<String, SourceFile> files, Map<String, Fault> missing) {

    /** The maximum number of files to which a template and its environments may refer, including missing ones. */
    static final int MOST_FILES = 10_000;

    /** The maximum size of all files together. A request with the same files has the same limit. */
    static final long MOST_BYTES = SourceFile.LIMITS.change().bytes();

    /**
     * Reads the files.
     *
     * @throws FileSystemException if the template or an environment cannot be read
     * @throws FaultException if they refer to more files, or to more bytes, than a tree may have
     */
    public static TemplateFiles read(String path, List<String> environments) throws IOException {
        Map<String, SourceFile> files = new LinkedHashMap<>();
        Map<String, Fault> missing = new LinkedHashMap<>();
        String top = name(Path.of(path));
        List<Wanted> level = new ArrayList<>(List.of(new Wanted(top, Kind.TEMPLATE, null, null)));
        List<String> names = new ArrayList<>();
        for (String environment : environments) {
            names.add(name(Path.of(environment)));
            level.add(new Wanted(names.get(names.size() - 1), Kind.ENVIRONMENT, null, null));
        }
        for (Wanted each : level) {
            require(Path.of(each.name));
        }
        Set<String> followed = new HashSet<>(names);
        followed.add(top);
        Reading reading = new Reading();
        Set<String> plain = new HashSet<>();
        boolean nestsTop = false;
        while (!level.isEmpty()) {
            List<Wanted> wanted = level;
            level = new ArrayList<>();
            for (Wanted each : wanted) {
                Read read = reading.read(each);
                if (read.source == null) {
                    missing.put(each.name, each.missing(files.get(each.by)));
                    continue;
                }
                if (each.kind == Kind.PLAIN) {
                    files.putIfAbsent(each.name, read.source);
                } else {
                    files.put(each.name, read.source); // replaces a plain file that was read before
                }
                for (Wanted next : read.next) {
                    nestsTop |= next.name.equals(top);
                    boolean known = followed.contains(next.name);
                    if (next.kind == Kind.PLAIN ? !known && plain.add(next.name) : followed.add(next.name)) {
                        level.add(next);
                        if (followed.size() + plain.size() > MOST_FILES) {
                            throw tooMuch(String.format(Locale.ROOT, "more than %,d files", MOST_FILES));
                        }
                    }
                }
            }
        }
        SourceFile template = nestsTop ? files.get(top) : files.remove(top);
        return new TemplateFiles(template, names, files, missing);
    }

    /** Returns the faults of missing files, except templates that the faults of a validation report already. */
    public List<Fault> missingBeside(List<Fault> faults) {
        List<String> told = faults.stream()
                .filter(fault -> fault.code() == FaultCode.TEMPLATE_MISSING)
                .map(Fault::message)
                .toList();
        return missing.entrySet().stream()
                .filter(each -> told.stream().noneMatch(message -> message.contains("\"" + each.getKey() + "\"")))
                .map(Map.Entry::getValue)
                .toList();
    }

    private enum Kind {
        TEMPLATE,
        ENVIRONMENT,
        PLAIN
    }

    /* A reference to a file: the path, and the name as the referring file spells it. */
    private record Wanted(String name, Kind kind, String by, String written) {

        Fault missing(SourceFile in) {
            String place = FileNames.placeInTemplate(in.tree(), name);
            return Fault.raised(
                            FaultCode.TEMPLATE_MISSING,
                            "CommandError",
                            "Could not fetch contents for " + written + ": there is no file " + name)
                    .in(by, place != null ? place : FileNames.placeInEnvironment(in.tree(), name));
        }
    }

    /* A missing file has no source. */
    private record Read(SourceFile source, List<Wanted> next) {}

    /** Reads files. Counts the bytes of each file once, even if several files refer to it. */
    private static final class Reading {

        private final Set<String> counted = new HashSet<>();
        private long room = MOST_BYTES;

        Read read(Wanted wanted) {
            Path path = Path.of(wanted.name);
            boolean asked = wanted.by == null; // named by the user: may be a pipe
            if (asked ? Files.isDirectory(path) : !Files.isRegularFile(path)) {
                return new Read(null, List.of());
            }
            SourceFile plain = new SourceFile(wanted.name, text(path));
            if (wanted.kind == Kind.PLAIN) {
                return new Read(plain, List.of());
            }
            Value tree;
            try {
                tree = plain.tree();
            } catch (UnreadableSourceException e) {
                return new Read(plain, List.of()); // reported where the file is used
            }
            Names names = new Names(wanted.name);
            Value named = wanted.kind == Kind.TEMPLATE
                    ? FileNames.inTemplate(tree, names)
                    : FileNames.inEnvironment(tree, names);
            return new Read(new SourceFile(wanted.name, plain.text(), named, true), names.wanted);
        }

        private String text(Path path) {
            try (InputStream in = Files.newInputStream(path)) {
                byte[] bytes = in.readNBytes((int) MOST_BYTES + 1);
                room -= counted.add(path.toString()) ? bytes.length : 0;
                if (room < 0) {
                    throw tooMuch(String.format(Locale.ROOT, "files of more than %,d bytes together", MOST_BYTES));
                }
                return new String(bytes, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void require(Path file) throws FileSystemException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        PlainFile.of(file);
    }

    private static FaultException tooMuch(String what) {
        return new FaultException(Fault.raised(
                FaultCode.LIMIT, "RequestLimitExceeded", "the template and its environments lead to " + what));
    }

    private static String name(Path path) {
        return path.normalize().toString();
    }

    /**
     * Resolves the names in one file.
     *
     * @param base the folder for relative names; a URL if they are on another host
     */
    private record Names(String file, String base, List<Wanted> wanted) implements FileNames.Visitor {

        Names(String file) {
            this(file, String.valueOf(Objects.requireNonNullElse(Path.of(file).getParent(), "")), new ArrayList<>());
        }

        @Override
        public String file(String name) {
            return resolved(name, Kind.PLAIN);
        }

        @Override
        public String template(String name) {
            return resolved(name, Kind.TEMPLATE);
        }

        @Override
        public Names from(String baseUrl) {
            String other = joined(baseUrl);
            return other == null ? this : new Names(file, other, wanted);
        }

        private String resolved(String name, Kind kind) {
            String path = joined(name);
            if (path == null || path.contains("://")) {
                return path == null ? name : path; // files are never fetched over the network
            }
            wanted.add(new Wanted(path, kind, file, name));
            return path;
        }

        /* Null if the name is not a path. */
        private String joined(String name) {
            String plain = name.startsWith("file://") ? name.substring("file://".length()) : name;
            if (plain.contains("://")) {
                return plain;
            }
            if (base.contains("://")) {
                return base.endsWith("/") ? base + plain : base + "/" + plain;
            }
            try {
                return name(Path.of(base).resolve(plain));
            } catch (InvalidPathException e) {
                return null;
            }
        }
    }
}
