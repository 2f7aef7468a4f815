package dev.strake.remote.fetch.source;

import static dev.strake.remote.fetch.attempt.Story.thing;
import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.resource.HostedPlace;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.resource.RepositoryFiles;
import dev.strake.testing.SourceServer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** GitHub and GitLab by their REST APIs, simulated by a test server. */
class HostedGitTest {

    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    private static final String TOKEN = "planted-token";

    private SourceServer server;
    private Story story;

    @BeforeEach
    void start() throws Exception {
        server = new SourceServer();
        story = new Story(Story.LOOPBACK);
        story.sources.put(RemoteResource.Backend.GIT, new HostedGit(story.http));
    }

    @AfterEach
    void stop() {
        story.close();
        server.close();
    }

    private void resource(String git) {
        story.resource("""
            backendService: git
            requests: [{options: {headers: {Authorization: planted-token}, git: {repo: '{}', {}}}}]
            """, server.url("/o/r.git"), git);
    }

    private SourceServer json(String path, String text) {
        return server.on(path, exchange -> SourceServer.send(exchange, 200, text.getBytes(StandardCharsets.UTF_8)));
    }

    private void byPage(String path, int perPage, java.util.List<String> entries) {
        server.on(path, exchange -> {
            String query = exchange.getRequestURI().getQuery();
            int page = Integer.parseInt(query.replaceAll(".*[?&]?\\bpage=([0-9]+).*", "$1"));
            int from = (page - 1) * perPage;
            int to = Math.min(entries.size(), from + perPage);
            if (to < entries.size()) {
                exchange.getResponseHeaders().set("x-next-page", Integer.toString(page + 1));
            }
            return SourceServer.send(
                    exchange,
                    200,
                    ("[" + String.join(",", entries.subList(from, to)) + "]").getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void shouldFetchAFolderFromGitHubAtOneCommit() throws Exception {
        String api = "/api/v3/repos/o/r";
        json(api + "/commits/main", "{\"sha\":\"" + COMMIT + "\"}");
        json(api + "/contents/sites", """
            [{"type":"file","name":"a.yaml","path":"sites/a.yaml","sha":"1"},
             {"type":"file","name":"b.txt","path":"sites/b.txt","sha":"2"},
             {"type":"dir","name":"deep","path":"sites/deep","sha":"3"}]\
            """);
        json(api + "/contents/sites/deep", """
            [{"type":"file","name":"c.yaml","path":"sites/deep/c.yaml","sha":"4"}]\
            """);
        server.text(api + "/contents/sites/a.yaml", things("a")).text(api + "/contents/sites/deep/c.yaml", things("c"));
        resource("provider: github, filePath: sites/**, branch: main");
        Status status = story.attempt();
        assertThat(status.message()).isEmpty();
        assertThat(story.names()).containsExactly("a", "c");
        assertThat(status.requests().get(0).revision()).isEqualTo(COMMIT);
        assertThat(server.asked).allMatch(each -> each.header("Authorization").equals("token " + TOKEN));
        assertThat(server.asked.stream().filter(each -> each.query() != null))
                .allMatch(each -> each.query().equals("ref=" + COMMIT));
        int asked = server.asked.size();
        story.attempt();
        assertThat(server.asked.subList(asked, server.asked.size()))
                .as("files of the same version are not asked for again")
                .noneMatch(each -> each.path().endsWith(".yaml"));
    }

    @Test
    void shouldFetchAllPagesFromGitLabWhateverTheirSize() throws Exception {
        String api = "/api/v4/projects/o/r";
        json(api + "/repository/commits/main", "{\"id\":\"" + COMMIT + "\"}");
        byPage(
                api + "/repository/tree",
                20,
                IntStream.range(0, 45)
                        .mapToObj(i -> "{\"type\":\"blob\",\"path\":\"d/f%d.yaml\",\"id\":\"%d\"}".formatted(i, i))
                        .collect(Collectors.toList()));
        IntStream.range(0, 45)
                .forEach(i -> server.text(api + "/repository/files/d/f%d.yaml/raw".formatted(i), thing("t" + i, "")));
        resource("provider: gitlab, filePath: d, ref: main");
        Status status = story.attempt();
        assertThat(status.message()).isEmpty();
        assertThat(story.names()).hasSize(45);
        assertThat(server.asked).allMatch(each -> each.header("Authorization").equals("Bearer " + TOKEN));
    }

    @Test
    void shouldFetchTheAssetsOfAReleaseOfGitHub() throws Exception {
        String api = "/api/v3/repos/o/r";
        json(api + "/releases/tags/v1", "{\"id\":7}");
        byPage(
                api + "/releases/7/assets",
                100,
                java.util.List.of("{\"id\":70,\"name\":\"all.yaml\"}", "{\"id\":71,\"name\":\"all.tgz\"}"));
        server.text(api + "/releases/assets/70", things("a"));
        resource("provider: github, filePath: '*.yaml', release: v1");
        Status status = story.attempt();
        assertThat(status.message()).isEmpty();
        assertThat(story.names()).containsExactly("a");
        assertThat(status.requests().get(0).revision()).startsWith("v1 sha256:");
    }

    @Test
    void shouldNotSendCredentialsToTheHostOfAGitLabLink() throws Exception {
        String api = "/api/v4/projects/o/r";
        try (SourceServer other = new SourceServer().text("/x.yaml", things("x"))) {
            server.text("/y.yaml", things("y"));
            byPage(
                    api + "/releases/v1/assets/links",
                    100,
                    java.util.List.of(
                            "{\"name\":\"x.yaml\",\"url\":\"" + other.url("/x.yaml") + "\"}",
                            "{\"name\":\"y.yaml\",\"url\":\"" + server.url("/y.yaml") + "\"}"));
            resource("provider: gitlab, filePath: '*.yaml', release: v1");
            assertThat(story.attempt().message()).isEmpty();
            assertThat(story.names()).containsExactly("x", "y");
            assertThat(other.asked.get(0).headers().toString()).doesNotContain(TOKEN);
            assertThat(server.asked.get(server.asked.size() - 1).header("Authorization"))
                    .contains(TOKEN);
        }
    }

    @Test
    void shouldRefuseAnIncompleteListOfGitHub() throws Exception {
        String api = "/api/v3/repos/o/r";
        json(api + "/commits/main", "{\"sha\":\"" + COMMIT + "\"}");
        json(
                api + "/contents/d",
                IntStream.range(0, 1000)
                        .mapToObj(i -> "{\"type\":\"file\",\"path\":\"d/%d.yaml\"}".formatted(i))
                        .collect(Collectors.joining(",", "[", "]")));
        resource("provider: github, filePath: d, ref: main");
        assertThat(story.attempt().message()).contains("use provider: git");
    }

    @Test
    void shouldParseAddressesOfRepositories() throws Exception {
        assertThat(HostedPlace.of("https://github.com/o/r.git").api(RepositoryFiles.Provider.GITHUB))
                .isEqualTo("https://api.github.com/repos/o/r");
        assertThat(HostedPlace.of("git@ghe.example.org:o/r.git").api(RepositoryFiles.Provider.GITHUB))
                .isEqualTo("https://ghe.example.org/api/v3/repos/o/r");
        assertThat(HostedPlace.of("https://gitlab.com/g/s/u/r").api(RepositoryFiles.Provider.GITLAB))
                .isEqualTo("https://gitlab.com/api/v4/projects/g%2Fs%2Fu%2Fr");
    }
}
