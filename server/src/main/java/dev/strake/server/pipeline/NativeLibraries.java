package dev.strake.server.pipeline;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native libraries of RocksDB and of Kafka's codecs. Each comes in a jar. By itself it unpacks into the temporary
 * folder at every start, and is removed in an orderly end only: processes that are killed leave 15 MB each.
 *
 * <pre>
 *  DATA/native/rocksdb-CRC/   the library of RocksDB, unpacked once for each version and used by every start
 *  (temporary folder)         those of lz4, snappy and zstd, less than 2 MB: removed as soon as they are loaded
 * </pre>
 */
public final class NativeLibraries {

    private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);
    private static final Path MAPPED = Path.of("/proc/self/maps");
    private static final Pattern CODEC = Pattern.compile("/.*/(liblz4-java-|libzstd-jni-|snappy-)[^/]*\\.so$");
    private static final int UNUSED_BYTES = 512;

    private NativeLibraries() {}

    /**
     * Sees to it that this process leaves nothing in the temporary folder. Called before anything uses Kafka or RocksDB; a
     * later call changes nothing. Where the folder cannot be used (it is full, or nothing may be executed from it), the
     * libraries unpack as they do by themselves.
     *
     * @param data the data directory of this process
     */
    public static synchronized void keepIn(Path data) {
        Path folder = data.resolve("native").toAbsolutePath();
        try {
            loadCodecs();
            RocksDB.loadLibrary(List.of(rocks(folder).toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.warn(
                    "Native libraries cannot be kept in {}, so they are unpacked into the temporary folder: {}",
                    folder,
                    e.toString());
        }
    }

    /* The folder with the library of this version. It is renamed into its place, so that a kill leaves no half of it. */
    private static Path rocks(Path folder) throws IOException {
        URL packed = RocksDB.class.getClassLoader().getResource(Environment.getJniLibraryFileName("rocksdb"));
        URLConnection connection = packed == null ? null : packed.openConnection();
        if (!(connection instanceof JarURLConnection jar)) {
            throw new IOException("there is no library for this system in the jar of RocksDB");
        }
        long crc = jar.getJarEntry().getCrc();
        Path own = folder.resolve("rocksdb-" + Long.toHexString(crc));
        Path library = own.resolve(Environment.getJniLibraryFileName("rocksdbjni")); // where RocksDB looks for it
        if (!Files.exists(library) || crc(library) != crc) {
            Files.createDirectories(folder);
            try (Stream<Path> others = Files.list(folder)) {
                for (Path other : others.toList()) {
                    delete(other);
                }
            }
            Files.createDirectories(own);
            Path half = own.resolve("unpacking");
            try (InputStream content = packed.openStream()) {
                Files.copy(content, half, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(half, library, StandardCopyOption.ATOMIC_MOVE);
        }
        return own;
    }

    private static long crc(Path file) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[1 << 16];
        try (InputStream content = Files.newInputStream(file)) {
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                crc.update(buffer, 0, read);
            }
        }
        return crc.getValue();
    }

    /* Only Linux tells where a library was loaded from, and lets its file go while it is in use. */
    private static void loadCodecs() throws IOException {
        if (Files.isReadable(MAPPED)) {
            for (CompressionType codec : CompressionType.values()) {
                Compression.of(codec)
                        .build()
                        .wrapForOutput(new ByteBufferOutputStream(UNUSED_BYTES), RecordBatch.MAGIC_VALUE_V2)
                        .close();
            }
            for (String line : Files.readAllLines(MAPPED)) {
                Matcher library = CODEC.matcher(line);
                if (library.find()) {
                    Files.deleteIfExists(Path.of(library.group()));
                    Files.deleteIfExists(Path.of(library.group() + ".lck")); // beside that of lz4
                }
            }
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}
