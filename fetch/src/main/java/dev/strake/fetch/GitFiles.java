package dev.strake.fetch;

import java.util.Optional;

/**
 * Files of a repository.
 *
 * @param provider whose interface is asked; {@code GIT} speaks the protocol of git itself
 * @param repository as the resource has it, without credentials
 * @param pattern which files
 * @param ref branch, tag or commit; empty for the default branch
 * @param release a release whose assets are meant instead of files
 */
record GitFiles(
        Provider provider, String repository, FilePattern pattern, Optional<String> ref, Optional<String> release) {

    enum Provider {
        GITHUB,
        GITLAB,
        GIT
    }

    @Override
    public String toString() {
        return repository + " " + pattern
                + release.or(() -> ref).map(each -> " at " + each).orElse("");
    }
}
