package dev.strake.cli.files;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Decrypts files that were encrypted with SOPS. The program {@code sops} does it, with the keys that it finds as always (age,
 * PGP, a key management service); it also checks that nobody changed the file.
 *
 * @param name of the program, as on a command line
 * @see <a href="https://github.com/getsops/sops">SOPS</a>
 */
record SopsProgram(String name) {

    static final SopsProgram ON_PATH = new SopsProgram("sops");

    /** A text that cannot be decrypted. */
    static final class UndecryptedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Problem problem;

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
    private static final int PATIENCE_SECONDS = 120;
    private static final int LONGEST_REMARK = 400;

    /** Whether a text was encrypted with SOPS: it has encrypted values, and the map {@code sops} that tells how. */
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
     * The clear text of an encrypted one, in the same language.
     *
     * @param source name of the text, for problems
     * @throws UndecryptedException if the program is not there, has no key, or finds that the text was changed
     */
    byte[] decrypted(byte[] text, String source) throws UndecryptedException {
        String start = new String(text, StandardCharsets.UTF_8).stripLeading();
        String type = start.startsWith("{") || start.startsWith("[") ? "json" : "yaml";
        Process process;
        try {
            process = new ProcessBuilder(
                            List.of(name, "--decrypt", "--input-type", type, "--output-type", type, "/dev/stdin"))
                    .start();
        } catch (IOException e) {
            throw problem(
                    source,
                    "it is encrypted with SOPS, and the program '" + name + "' cannot be run to decrypt it",
                    "install sops, or publish a file that 'strake seal' wrote");
        }
        try {
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(text, process));
            CompletableFuture<byte[]> remarks = CompletableFuture.supplyAsync(() -> read(process.getErrorStream()));
            CompletableFuture<byte[]> clear = CompletableFuture.supplyAsync(() -> read(process.getInputStream()));
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw problem(source, "'" + name + "' did not decrypt it within " + PATIENCE_SECONDS + " s", null);
            }
            byte[] decrypted = clear.join();
            String remark = new String(remarks.join(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw problem(
                        source,
                        "'" + name + "' does not decrypt it: "
                                + Problem.cut(remark.replaceAll("\\s+", " "), LONGEST_REMARK),
                        null);
            }
            writing.join();
            return decrypted;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw problem(source, "decrypting it was interrupted", null);
        } finally {
            process.destroyForcibly();
        }
    }

    /* A program that ends early does not read all of it. Its exit code tells then. */
    private static void write(byte[] text, Process process) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(text);
        } catch (IOException e) {
            process.onExit().join();
        }
    }

    private static byte[] read(InputStream stream) {
        try (stream) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static UndecryptedException problem(String source, String message, String hint) {
        return new UndecryptedException(
                Problem.of(ProblemCode.INVALID_YAML, message, hint).at(new Location(source, 1, 1)));
    }
}
