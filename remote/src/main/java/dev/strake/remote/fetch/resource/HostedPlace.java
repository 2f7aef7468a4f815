package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a repository at GitHub, GitLab, or a self-hosted instance.
 *
 * @param scheme the scheme of the host; https by default
 * @param path the groups and name
 */
public record HostedPlace(String scheme, String host, String path) {

    private static final Pattern URL = Pattern.compile("(?:(https?)://)?(?:[^@/]+@)?([^/:]+(?::[0-9]+)?)[/:](.+)");

    public static HostedPlace of(String repository) throws FetchException {
        Matcher matcher = URL.matcher(repository.strip().replaceFirst("^ssh://", ""));
        if (!matcher.matches()) {
            throw new FetchException(Code.INVALID_RESOURCE, "repo has to be such as https://github.com/owner/name");
        }
        String path = matcher.group(3).replaceAll("\\.git/?$", "").replaceAll("^/+|/+$", "");
        if (!path.contains("/")) {
            throw new FetchException(Code.INVALID_RESOURCE, "repo names no owner and name");
        }
        return new HostedPlace(matcher.group(1) == null ? "https" : matcher.group(1), matcher.group(2), path);
    }

    public String api(RepositoryFiles.Provider provider) {
        if (provider == RepositoryFiles.Provider.GITHUB) {
            String base = host.equals("github.com") ? "https://api.github.com" : scheme + "://" + host + "/api/v3";
            return base + "/repos/" + path;
        }
        return scheme + "://" + host + "/api/v4/projects/" + encoded(path);
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
