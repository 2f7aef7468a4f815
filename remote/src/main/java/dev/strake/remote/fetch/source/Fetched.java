package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import dev.strake.remote.fetch.policy.FetchException;
import java.util.List;
import java.util.Optional;

/**
 * What came of a request.
 *
 * @param place where it came from, without anything secret
 * @param revision of the source: a commit, an ETag, or the hash of what came
 * @param modified when it was changed, in milliseconds; 0 if the source does not say
 * @param files what it consists of
 */
public record Fetched(String place, String revision, long modified, List<File> files) {

    /**
     * One file.
     *
     * @param name as people find it again
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

    /** Checks the pin of a request: of one file its hash; of several, that of what {@code sha256sum} prints for them. */
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
