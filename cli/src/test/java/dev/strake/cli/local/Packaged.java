package dev.strake.cli.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The packaged program, for tests that start it in a separate JVM. */
public final class Packaged {

    private static final Path BUILT = Path.of("../cli/target").toAbsolutePath().normalize();
    private static final Path JAR = BUILT.resolve("strake.jar");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private Packaged() {}

    /** The command line that runs a command of the program. */
    public static List<String> line(List<String> ofJvm, List<String> command) {
        List<String> line = new ArrayList<>();
        line.add(JAVA);
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(ofJvm);
        line.addAll(arguments());
        line.addAll(command);
        return line;
    }

    /**
     * Starts a pipeline in a separate process, with HTTP on a free port.
     *
     * @param name the application id; also the prefix of its topics and the name of its data folder
     * @param log the file for its output
     */
    public static Process serve(
            String heap, String bootstrapServers, String name, int partitions, Path directory, Path log)
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

    /** The arguments with which Java starts the program. */
    public static List<String> arguments() {
        return List.of("-jar", JAR.toString());
    }
}
