package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import dev.strake.remote.fetch.policy.FetchException;
import java.util.List;
import java.util.Optional;

/**
 * The result of a request.
 *
 * @param place the source, without secrets
 * @param revision the revision of the source: a commit, an ETag, or a hash of the content
 * @param modified the time of the last modification, in milliseconds; 0 if unknown
 * @param files the files
 */
public record Fetched(String place, String revision, long modified, List<File> files) {

    /**
     * A file.
     *
     * @param name the name, for messages
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record File(String name, byte[] content) {

        @Override
        public String toString() {
            return name + ", " + content.length + " bytes";
        }
    }

    public Fetched {
        files = List.copyOf(files);
    }

    public long bytes() {
        return files.stream().mapToLong(file -> file.content().length).sum();
    }

    /** Checks the pinned hash: that of a single file, or that of the output of {@code sha256sum} for several files. */
    public void check(Optional<String> sha256) throws FetchException {
        if (sha256.isEmpty()) {
            return;
        }
        String actual;
        if (files.size() == 1) {
            actual = Hasher.hex(files.get(0).content());
        } else {
            StringBuilder lines = new StringBuilder();
            files.stream()
                    .sorted(java.util.Comparator.comparing(File::name))
                    .forEach(file -> lines.append(Hasher.hex(file.content()))
                            .append("  ")
                            .append(file.name())
                            .append('\n'));
            actual = Hasher.hex(lines.toString());
        }
        if (!actual.equals(sha256.get())) {
            throw new FetchException(
                    FetchException.Code.DIGEST,
                    "%s: is pinned to sha256 %s and has %s".formatted(place, sha256.get(), actual));
        }
    }
}
