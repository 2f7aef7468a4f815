package dev.strake.heat;

import dev.strake.engine.derivation.Reader;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.SourceFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Provides documents as the files of a template tree. A name refers to the template, environment or plain file with
 * that name; no other documents are read.
 */
final class StackFiles {

    /** The schemas of files. A name must occur in only one of them. */
    private static final List<String> SCHEMAS = List.of("heat/Template/v1", "heat/Environment/v1", "heat/File/v1");

    private final Reader reader;
    private final Map<String, SourceFile> found = new HashMap<>();

    private StackFiles(Reader reader) {
        this.reader = reader;
    }

    /**
     * Validates a tree, and spends its effort.
     *
     * @return null if a file contains sealed data, which cannot be read here
     * @throws EvaluationException if a name refers to two documents, or a limit is exceeded
     */
    static ValidatedTree validate(TreeRequest request, Reader reader) throws EvaluationException {
        StackFiles files = new StackFiles(reader);
        try {
            ValidatedTree tree = TreeValidator.validate(request, files::file);
            reader.budget().spend(tree.effort());
            return files.found.values().stream().anyMatch(file -> file.tree().hasSealed()) ? null : tree;
        } catch (UnreadException e) {
            throw e.reason;
        }
    }

    private SourceFile file(String name) {
        SourceFile file = found.get(name);
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

    private SourceFile read(String name) throws EvaluationException {
        DocumentKey key = null;
        Reader.Content content = null;
        for (String schema : SCHEMAS) {
            DocumentKey other = new DocumentKey(schema, name);
            Reader.Content read = reader.content(other);
            if (read != null && content != null) {
                throw new EvaluationException(
                        ProblemCode.DERIVATION_FAILED,
                        ".data",
                        key + " and " + other
                                + " have the same name, but the name of a file has to identify one document",
                        "rename one of the two",
                        null);
            }
            key = read == null ? key : other;
            content = read == null ? content : read;
        }
        if (content == null) {
            return null;
        }
        Value data = content.data().get();
        reader.budget().spend(1 + data.weight() / 64);
        return new SourceFile(name, text(data), data, false);
    }

    /* Text is the content of the file, not parsed as YAML. Heat's client sends other data as JSON. */
    private static String text(Value data) {
        if (data instanceof Text text) {
            return text.value();
        }
        return data instanceof Null ? "" : JsonBytes.text(data);
    }

    /** Carries a checked exception through the validator, which does not know documents. */
    private static final class UnreadException extends RuntimeException {

        private final EvaluationException reason;

        UnreadException(EvaluationException reason) {
            super(null, null, false, false);
            this.reason = reason;
        }
    }
}
