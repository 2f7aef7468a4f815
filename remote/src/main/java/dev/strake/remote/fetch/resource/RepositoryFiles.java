package dev.strake.remote.fetch.resource;

import dev.strake.remote.apply.GitRemote;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.RepositoryUri;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Files of a repository.
 *
 * @param provider the API to use; {@code GIT} for the git protocol
 * @param repository the address as written in the resource, without credentials
 * @param pattern selects the files
 * @param ref a branch, tag or commit; empty for the default branch
 * @param release a release whose assets are fetched instead of files
 */
public record RepositoryFiles(
        Provider provider, String repository, FilePattern pattern, Optional<String> ref, Optional<String> release) {

    public enum Provider {
        GITHUB,
        GITLAB,
        GIT
    }

    /* Addresses of ssh contain a user; in other addresses, the user is usually a token. */
    private static final Pattern CREDENTIALS =
            Pattern.compile("(?i)^https?://[^/]*@|^[^/]*:[^/@]*@|^ssh://[^/@]*:[^/@]*@");

    /**
     * Reads the section {@code git} of a request.
     *
     * @throws FetchException if it is invalid
     */
    static RepositoryFiles read(Fields git) throws FetchException {
        git.only(Set.of("provider", "repo", "filePath", "ref", "branch", "release"));
        Provider provider = switch (git.text("provider").toLowerCase(Locale.ROOT)) {
            case "github" -> Provider.GITHUB;
            case "gitlab" -> Provider.GITLAB;
            case "git" -> Provider.GIT;
            default -> throw Fields.wrong(git.at("provider"), "has to be github, gitlab or git");
        };
        String repository = git.text("repo");
        if (CREDENTIALS.matcher(repository).find()) {
            throw Fields.wrong(git.at("repo"), "holds credentials: put them into a header, from a secret");
        }
        try {
            if (provider == Provider.GIT) {
                RepositoryUri.of(repository);
            } else {
                Address.of(HostedPlace.of(repository).api(provider));
            }
        } catch (FetchException e) {
            throw Fields.wrong(git.at("repo") + ":", e.getMessage());
        }
        boolean hasNone = !git.has("ref") && !git.has("branch") && !git.has("release");
        String at = hasNone ? "" : git.one("ref", "branch", "release");
        if (at.equals("release") && provider == Provider.GIT) {
            throw Fields.wrong(git.at("release"), "is known to github and gitlab only; name its tag as ref");
        }
        boolean isRelease = at.equals("release");
        if (!hasNone && !GitRemote.isBranch(git.text(at))) {
            throw Fields.wrong(git.at(at), "is not a valid name for a branch or tag in git");
        }
        return new RepositoryFiles(
                provider,
                repository,
                FilePattern.of(git.text("filePath")),
                isRelease || hasNone ? Optional.empty() : git.optionalText(at),
                isRelease ? git.optionalText("release") : Optional.empty());
    }

    @Override
    public String toString() {
        return repository + " " + pattern
                + release.or(() -> ref).map(each -> " at " + each).orElse("");
    }
}
