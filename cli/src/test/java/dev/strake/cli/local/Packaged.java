package dev.strake.cli.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The packaged program, for tests that start it in a JVM of its own. Like the launcher, Java takes its classes from an archive:
 * a start costs two thirds of what it does without. The first test that starts the program makes the archive for all.
 */
public final class Packaged {

    private static final Path BUILT = Path.of("../cli/target").toAbsolutePath().normalize();
    private static final Path JAR = BUILT.resolve("strake.jar");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static Path archive;

    private Packaged() {}

    /** The command line of a command of the program. */
    public static List<String> line(List<String> ofJvm, List<String> command) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(JAVA);
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(ofJvm);
        line.addAll(arguments());
        line.addAll(command);
        return line;
    }

    /**
     * Starts a pipeline in a process of its own, with HTTP at a free port.
     *
     * @param name of the application; its topics begin with it and a dot, and its data is in a folder of this name
     * @param log where its output goes
     */
    static Process serve(String heap, String bootstrapServers, String name, int partitions, Path directory, Path log)
            throws IOException {
        List<String> command = List.of(
                "serve",
                "--bootstrap-servers",
                bootstrapServers,
                "--application-id=" + name,
                "--topic-prefix=" + name + ".",
                "--partitions=" + partitions,
                "--replication-factor=1",
                "--http-port=0",
                "--data=" + directory.resolve(name));
        return new ProcessBuilder(line(List.of("-Xmx" + heap), command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The arguments by which Java starts the program. */
    public static List<String> arguments() throws IOException {
        return List.of("-XX:SharedArchiveFile=" + archive(), "-jar", JAR.toString());
    }

    /* Of this build and this JDK; several JVMs may run tests. */
    private static synchronized Path archive() throws IOException {
        if (archive == null) {
            Path file = BUILT.resolve("tests-" + Runtime.version() + ".jsa");
            try (FileChannel lock = FileChannel.open(
                    BUILT.resolve("tests.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                lock.lock();
                if (Files.notExists(file) || Files.getLastModifiedTime(file).compareTo(packaged()) < 0) {
                    make(file);
                }
            }
            archive = file;
        }
        return archive;
    }

    /* When the last of our jars was written. Java does without an archive if one of them is newer. */
    private static FileTime packaged() throws IOException {
        FileTime last = Files.getLastModifiedTime(JAR);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(BUILT.resolve("lib"), "strake-*.jar")) {
            for (Path jar : jars) {
                FileTime written = Files.getLastModifiedTime(jar);
                last = written.compareTo(last) > 0 ? written : last;
            }
        }
        return last;
    }

    private static void make(Path file) throws IOException {
        Path made = BUILT.resolve("tests.jsa");
        Files.deleteIfExists(made);
        List<String> line = List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-XX:ArchiveClassesAtExit=" + made,
                "-jar",
                JAR.toString(),
                "demo");
        Path log = BUILT.resolve("tests-archive.log");
        Process demo = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!demo.waitFor(10, TimeUnit.MINUTES) || demo.exitValue() != 0 || Files.notExists(made)) {
                throw new IOException("no archive of classes was made, see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            demo.destroyForcibly();
        }
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
