package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.template.KeptTree;
import dev.strake.engine.template.TreeRequest;
import dev.strake.engine.template.ValidatedTree;
import dev.strake.engine.template.source.SourceFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A tree of templates with the documents that are its files. A name means the template, the environment or the plain file
 * of this name; nothing else is read. What is remembered saves work and changes no result.
 *
 * <p>Not for several threads at once.
 */
final class StackTree {

    /** What files may be. A name stands for one of them. */
    private static final List<String> SCHEMAS = List.of("heat/Template/v1", "heat/Environment/v1", "heat/File/v1");

    /** How many times its JSON a document takes on the heap: as a tree, and once more as a template that has been read. */
    private static final int HEAP_OF_JSON = 8;

    private static final int OF_ITSELF = 2_000;
    private static final int OF_FILE = 300;
    private static final int OF_STACK = 300;
    private static final int OF_READ = 120;

    private final KeptTree kept;
    private Map<String, DocumentFile> files = Map.of();
    private long bytes = OF_ITSELF;

    /** @param memory bytes of heap for nested stacks that are remembered */
    StackTree(long memory) {
        kept = new KeptTree(memory);
    }

    /**
     * The tree as it is now.
     *
     * @throws EvaluationException if a name means two documents, or too much is read
     */
    ValidatedTree validate(TreeRequest request, Reader reader) throws EvaluationException {
        Lookup lookup = new Lookup(reader);
        ValidatedTree tree;
        try {
            tree = kept.validate(request, lookup::file);
        } catch (UnreadException e) {
            throw e.reason;
        }
        files = lookup.found;
        bytes = OF_ITSELF + kept.held() + (long) OF_READ * tree.reads().parts().size();
        files.values().forEach(file -> bytes += OF_FILE + file.data().weight() * HEAP_OF_JSON);
        tree.stacks().forEach(stack -> bytes += OF_STACK + stack.schema().weight());
        return tree;
    }

    /** About how much heap it takes, in bytes. */
    long bytes() {
        return bytes;
    }

    private final class Lookup {

        private final Reader reader;
        private final Map<String, DocumentFile> found = new HashMap<>();

        Lookup(Reader reader) {
            this.reader = reader;
        }

        SourceFile file(String name) {
            DocumentFile file = found.get(name);
            if (file == null && !name.isEmpty() && name.length() <= DocumentId.LONGEST_PART) {
                try {
                    file = read(name);
                } catch (EvaluationException e) {
                    throw new UnreadException(e);
                }
                if (file != null) {
                    found.put(name, file);
                }
            }
            return file;
        }

        private DocumentFile read(String name) throws EvaluationException {
            DocumentKey key = null;
            Reader.Content content = null;
            for (String schema : SCHEMAS) {
                DocumentKey other = new DocumentKey(schema, name);
                Reader.Content read = reader.content(other);
                if (read != null && content != null) {
                    throw new EvaluationException(
                            ProblemCode.DERIVATION_FAILED,
                            ".data",
                            key + " and " + other + " have one name, and the name of a file stands for one document",
                            "rename one of them",
                            null);
                }
                key = read == null ? key : other;
                content = read == null ? content : read;
            }
            if (content == null) {
                return null;
            }
            DocumentFile before = files.get(name);
            DocumentFile file = before != null && before.fingerprint().equals(content.fingerprint())
                    ? before
                    : new DocumentFile(
                            name, content.fingerprint(), content.data().get());
            reader.budget().spend(1 + file.data().weight() / 64);
            return file;
        }
    }

    /** Carries an exception out of a walk that knows no documents. */
    private static final class UnreadException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient EvaluationException reason;

        UnreadException(EvaluationException reason) {
            super(null, null, false, false);
            this.reason = reason;
        }
    }
}
