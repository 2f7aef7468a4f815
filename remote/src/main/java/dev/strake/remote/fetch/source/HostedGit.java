package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.resource.HostedPlace.encoded;

import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.resource.HostedPlace;
import dev.strake.remote.fetch.resource.RepositoryFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Repositories at GitHub and GitLab, accessed by their REST APIs. A ref is first resolved to its commit, and all files
 * are read from that commit, so that a concurrent push has no effect.
 *
 * <pre>
 *  GitHub   api.github.com, or HOST/api/v3      GitLab   HOST/api/v4, with groups of any depth
 * </pre>
 */
public record HostedGit(HttpSource http) implements ContentSource {

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
    private static final int PAGE = 100;
    private static final int MOST_PAGES = 1_000;
    private static final int MOST_FILES = 10_000;

    /** GitHub silently truncates the listing of a folder at this size. */
    private static final int MOST_LISTED = 1_000;

    /** Sends requests to the API of one host, with the headers of the resource. */
    private final class Asking {

        private final String api;
        private final Address home;
        private final Map<String, Hidden> headers;
        private final long since;

        Asking(String api, Map<String, Hidden> headers, long since) throws FetchException {
            this.api = api;
            this.home = Address.of(api);
            this.headers = headers;
            this.since = since;
        }

        Value json(String path) throws FetchException {
            return json(answer(Address.of(api + path), Map.of(), "", since));
        }

        private Value json(HttpAnswer answer) throws FetchException {
            try {
                return JsonReader.read(answer.body());
            } catch (IllegalArgumentException e) {
                throw new FetchException(Code.ANSWER, home + ": answers with no JSON");
            }
        }

        /* Sends credentials only to the host of the repository, even if a response names another address. */
        private HttpAnswer answer(Address address, Map<String, Hidden> more, String version, long notBefore)
                throws FetchException {
            Map<String, Hidden> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            if (address.isSameOrigin(home)) {
                sent.putAll(headers);
            }
            sent.putAll(more);
            return http.get(address, sent, Map.of("version", new Hidden(version)), HttpSource.Signing.NONE, notBefore);
        }

        byte[] file(Address address, String accept, String version) throws FetchException {
            Map<String, Hidden> more = accept.isEmpty() ? Map.of() : Map.of("Accept", new Hidden(accept));
            // the content of a version never changes
            long notBefore = version.isEmpty() ? since : System.nanoTime() - (Long.MAX_VALUE >> 1);
            return answer(address, more, version, notBefore).body();
        }

        List<MapValue> pages(String path) throws FetchException {
            List<MapValue> all = new ArrayList<>();
            for (int page = 1; ; page++) {
                if (page > MOST_PAGES || all.size() > MOST_FILES) {
                    throw new FetchException(Code.TOO_LARGE, home + ": the listing has too many entries");
                }
                String join = path.contains("?") ? "&" : "?";
                Address address = Address.of(api + path + join + "per_page=" + PAGE + "&page=" + page);
                HttpAnswer answer = answer(address, Map.of(), "", since);
                List<MapValue> entries = entries(json(answer));
                all.addAll(entries);
                // Some hosts return fewer entries per page than requested, and state whether more follow.
                boolean saysMore = !answer.header("x-next-page").orElse("").isBlank()
                        || answer.header("link").orElse("").contains("rel=\"next\"");
                if (!saysMore && entries.size() < PAGE) {
                    return all;
                }
            }
        }

        List<MapValue> entries(Value list) throws FetchException {
            if (!(list instanceof ListValue values)) {
                throw new FetchException(Code.ANSWER, home + ": answers with no list");
            }
            List<MapValue> entries = new ArrayList<>();
            for (Value each : values.items()) {
                if (each instanceof MapValue map) {
                    entries.add(map);
                }
            }
            return entries;
        }
    }

    @Override
    public Fetched fetch(Question question) throws FetchException {
        RepositoryFiles git = question.request().git().orElseThrow();
        HostedPlace place = HostedPlace.of(git.repository());
        boolean isGitHub = git.provider() == RepositoryFiles.Provider.GITHUB;
        Asking asking =
                new Asking(place.api(git.provider()), authorized(question.headers(), isGitHub), question.since());
        List<Fetched.File> files = new ArrayList<>();
        String revision;
        if (git.release().isPresent()) {
            revision = isGitHub ? assets(asking, git, files) : links(asking, git, files);
        } else {
            revision = commit(asking, git, isGitHub);
            if (isGitHub) {
                contents(asking, git, git.pattern().folder(), revision, files);
            } else {
                tree(asking, git, revision, files);
            }
        }
        if (files.isEmpty()) {
            throw new FetchException(Code.ANSWER, git + ": there is no such file");
        }
        return new Fetched(git.toString(), revision, 0, files);
    }

    /* Adds the prefix that the provider requires to a bare token. */
    private static Map<String, Hidden> authorized(Map<String, Hidden> headers, boolean isGitHub) {
        Map<String, Hidden> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers);
        Hidden given = sent.get("Authorization");
        if (given != null && !given.text().strip().contains(" ")) {
            sent.put(
                    "Authorization",
                    new Hidden((isGitHub ? "token " : "Bearer ") + given.text().strip()));
        }
        return sent;
    }

    private static String commit(Asking asking, RepositoryFiles git, boolean isGitHub) throws FetchException {
        String ref = git.ref().orElse("HEAD");
        if (COMMIT.matcher(ref).matches()) {
            return ref;
        }
        Value answer = asking.json((isGitHub ? "/commits/" : "/repository/commits/") + encoded(ref));
        String commit = answer instanceof MapValue map ? map.text(isGitHub ? "sha" : "id") : "";
        if (!COMMIT.matcher(commit).matches()) {
            throw new FetchException(Code.ANSWER, git + ": the answer names no commit");
        }
        return commit;
    }

    private static void contents(
            Asking asking, RepositoryFiles git, String folder, String commit, List<Fetched.File> files)
            throws FetchException {
        String path = encodedPath(folder);
        Value list = asking.json("/contents" + (path.isEmpty() ? "" : "/" + path) + "?ref=" + commit);
        List<MapValue> entries = asking.entries(list);
        if (entries.size() >= MOST_LISTED) {
            throw new FetchException(
                    Code.TOO_LARGE,
                    "%s: GitHub lists %d entries of a folder and no more; use provider: git"
                            .formatted(git, MOST_LISTED));
        }
        for (MapValue entry : entries) {
            String name = entry.text("path");
            String type = entry.text("type");
            if (type.equals("dir")
                    && git.pattern().isRecursive()
                    && !entry.text("name").startsWith(".")) {
                contents(asking, git, name, commit, files);
            } else if (type.equals("file") && git.pattern().matches(name)) {
                add(files, git);
                Address address = Address.of(asking.api + "/contents/" + encodedPath(name) + "?ref=" + commit);
                byte[] content = asking.file(address, "application/vnd.github.raw", entry.text("sha"));
                files.add(new Fetched.File(name, content));
            }
        }
    }

    private static void tree(Asking asking, RepositoryFiles git, String commit, List<Fetched.File> files)
            throws FetchException {
        String query = "/repository/tree?path=%s&ref=%s&recursive=%s"
                .formatted(
                        encoded(git.pattern().folder()), commit, git.pattern().isRecursive());
        for (MapValue entry : asking.pages(query)) {
            String name = entry.text("path");
            if (entry.text("type").equals("blob") && git.pattern().matches(name)) {
                add(files, git);
                Address address = Address.of(asking.api + "/repository/files/" + encoded(name) + "/raw?ref=" + commit);
                files.add(new Fetched.File(name, asking.file(address, "", entry.text("id"))));
            }
        }
    }

    private static String assets(Asking asking, RepositoryFiles git, List<Fetched.File> files) throws FetchException {
        String release = git.release().orElseThrow();
        Value answer = asking.json("/releases/tags/" + encoded(release));
        Value id = answer instanceof MapValue map ? map.get("id") : null;
        if (!(id instanceof dev.strake.engine.tree.Num number)) {
            throw new FetchException(Code.ANSWER, git + ": there is no such release");
        }
        StringBuilder versions = new StringBuilder();
        for (MapValue asset : asking.pages("/releases/" + number.literal() + "/assets")) {
            String name = asset.text("name");
            if (git.pattern().matchesName(name) && asset.get("id") instanceof dev.strake.engine.tree.Num assetId) {
                add(files, git);
                Address address = Address.of(asking.api + "/releases/assets/" + assetId.literal());
                String version = assetId.literal() + asset.text("updated_at");
                byte[] content = asking.file(address, "application/octet-stream", version);
                files.add(new Fetched.File(name, content));
                versions.append(name).append(Hasher.hex(content));
            }
        }
        return release + " sha256:" + Hasher.hex(versions.toString());
    }

    private static String links(Asking asking, RepositoryFiles git, List<Fetched.File> files) throws FetchException {
        String release = git.release().orElseThrow();
        StringBuilder versions = new StringBuilder();
        for (MapValue link : asking.pages("/releases/" + encoded(release) + "/assets/links")) {
            String name = link.text("name");
            String url = link.text("direct_asset_url").isEmpty() ? link.text("url") : link.text("direct_asset_url");
            if (git.pattern().matchesName(name) && !url.isEmpty()) {
                add(files, git);
                byte[] content = asking.file(Address.of(url), "", "");
                files.add(new Fetched.File(name, content));
                versions.append(name).append(Hasher.hex(content));
            }
        }
        return release + " sha256:" + Hasher.hex(versions.toString());
    }

    private static void add(List<Fetched.File> files, RepositoryFiles git) throws FetchException {
        if (files.size() == MOST_FILES) {
            throw new FetchException(Code.TOO_LARGE, git + ": has more than " + MOST_FILES + " files");
        }
    }

    private static String encodedPath(String path) {
        return encoded(path).replace("%2F", "/");
    }
}
