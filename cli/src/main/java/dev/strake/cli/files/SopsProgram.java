package dev.strake.cli.files;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Decrypts SOPS files with the program {@code sops}. It finds its keys as usual (age, PGP, a key management service),
 * and verifies that the file was not modified.
 *
 * @param name the command that runs the program
 * @see <a href="https://github.com/getsops/sops">SOPS</a>
 */
record SopsProgram(String name) {

    static final SopsProgram ON_PATH = new SopsProgram("sops");

    /** A text cannot be decrypted. */
    static final class UndecryptedException extends Exception {

        private final Problem problem;

        UndecryptedException(Problem problem) {
            super(problem.describe());
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }

    private static final String ENCRYPTED = "ENC[";
    private static final Pattern METADATA = Pattern.compile("(?m)^(\\s*\"?)sops\"?:");
    private static final int LONGEST_REMARK = 400;

    /** Whether SOPS encrypted a text: it contains encrypted values and the map {@code sops}. */
    static boolean isEncrypted(byte[] text) {
        String read = new String(text, StandardCharsets.UTF_8);
        return read.contains(ENCRYPTED) && METADATA.matcher(read).find();
    }

    static boolean hasEncrypted(Value value) {
        if (value instanceof Text text) {
            return text.value().startsWith(ENCRYPTED);
        } else if (value instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                if (hasEncrypted(map.valueAt(i))) {
                    return true;
                }
            }
        } else if (value instanceof ListValue list) {
            return list.items().stream().anyMatch(SopsProgram::hasEncrypted);
        }
        return false;
    }

    /**
     * Decrypts a text. The result is in the same language.
     *
     * @param source name of the text, for problems
     * @throws UndecryptedException if the program is missing, has no key, or detects a modification
     */
    byte[] decrypted(byte[] text, String source) throws UndecryptedException {
        String start = new String(text, StandardCharsets.UTF_8).stripLeading();
        String type = start.startsWith("{") || start.startsWith("[") ? "json" : "yaml";
        try {
            Path encrypted = Files.write(Files.createTempFile("strake", ".sops"), text);
            Path remarks = Files.createTempFile("strake", ".log");
            try {
                Process process = new ProcessBuilder(
                                name, "--decrypt", "--input-type", type, "--output-type", type, "/dev/stdin")
                        .redirectInput(encrypted.toFile())
                        .redirectError(remarks.toFile())
                        .start();
                byte[] clear = process.getInputStream().readAllBytes();
                if (process.onExit().join().exitValue() != 0) {
                    String remark = Files.readString(remarks).strip().replaceAll("\\s+", " ");
                    throw problem(
                            source, "'" + name + "' does not decrypt it: " + Problem.cut(remark, LONGEST_REMARK), null);
                }
                return clear;
            } finally {
                Files.delete(encrypted);
                Files.delete(remarks);
            }
        } catch (IOException e) {
            throw problem(
                    source,
                    "it is encrypted with SOPS, and the program '" + name + "' cannot be run to decrypt it",
                    "install sops, or publish a file that 'strake seal' wrote");
        }
    }

    private static UndecryptedException problem(String source, String message, String hint) {
        return new UndecryptedException(
                Problem.of(ProblemCode.INVALID_YAML, message, hint).at(new Location(source, 1, 1)));
    }
}
