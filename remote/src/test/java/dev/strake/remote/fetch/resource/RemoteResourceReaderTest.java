package dev.strake.remote.fetch.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.object.ObjectDocument;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteResourceReaderTest {

    private static RemoteResource read(String yaml) throws FetchException {
        return RemoteResourceReader.read(
                Story.record(new DocumentKey(ObjectDocument.REMOTE_RESOURCE, "shop/app"), yaml));
    }

    @Test
    void shouldReadEveryFieldOfRazee() throws Exception {
        RemoteResource read = read("""
            clusterAuth: {impersonateUser: razeedeploy}
            backendService: s3
            auth:
              hmac:
                accessKeyIdRef: {valueFrom: {secretKeyRef: {name: s3, namespace: shop, key: id}}}
                secretAccessKey: planted
            requests:
            - optional: true
              options:
                url: https://s3.example.org/bucket/prefix/
                headers:
                  A: 1
                  B: {valueFrom: {secretKeyRef: {name: s, key: k}}}
                  If-None-Match: x
                  C: null
                headersFrom:
                - configMapRef: {name: c, namespace: shop}
                - secretMapRef: {name: m}
                - genericMapRef: {apiVersion: example.org/v1, kind: Thing, name: t, namespace: shop}
            interval: 30s
            maxRemovals: 5,20%
            """);
        assertThat(read.bucket()).startsWith("remote-shop-app-");
        assertThat(read.interval()).contains(Duration.ofSeconds(30));
        assertThat(read.from().requests().get(0).headers()).containsOnlyKeys("A", "B");
        assertThat(read.references())
                .containsExactlyInAnyOrder(
                        new DocumentKey("kubernetes/Object/v1", "Secret/shop/s3"),
                        new DocumentKey("kubernetes/Object/v1", "Secret/s"),
                        new DocumentKey("kubernetes/Object/v1", "ConfigMap/shop/c"),
                        new DocumentKey("kubernetes/Object/v1", "Secret/m"),
                        new DocumentKey("kubernetes/Object/v1", "Thing.example.org/shop/t"));
        assertThat(read.toString() + read.from().auth() + read.from().requests())
                .doesNotContain("planted");
    }

    @Test
    void shouldReadTheObjectAsAWhole() throws Exception {
        assertThat(read("""
            apiVersion: deploy.razee.io/v1alpha2
            kind: RemoteResource
            metadata: {name: app, namespace: shop, annotations: {a: b}}
            spec: {requests: []}
            """).from().requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                {}                                                                          | .requests is missing
                {requests: {}}                                                              | .requests has to be a list
                {requests: [1]}                                                             | .requests[0] has to be a mapping
                {requests: [{}]}                                                            | .requests[0].options is missing
                {requests: [{options: {}}]}                                                 | needs one of url, uri, git
                {requests: [{options: {url: 'https://a', uri: 'https://b'}}]}               | has both url and uri
                {requests: [{options: {url: 'https://a', method: POST}}]}                   | .requests[0].options.method is an unknown key
                {requests: [{options: {url: nowhere}}]}                                     | .requests[0].options.url: the URL has to be absolute
                {requests: [{options: {url: 'file:///planted'}}]}                           | has to begin with http
                {requests: [{options: {url: 'https://u:planted@a/'}}]}                      | put them into a header
                {requests: [{optional: sure, options: {url: 'https://a'}}]}                 | .requests[0].optional has to be true or false
                {requests: [{options: {url: 'https://a', headers: {A: [planted]}}}]}        | .headers.A has to be a text
                {requests: [{options: {url: 'https://a', headers: {A: "planted\\r\\nX: 1"}}}]} | .headers.A has a control
                {requests: [{options: {url: 'https://a', headers: {A: {valueFrom: {}}}}}]}  | secretKeyRef is missing
                {requests: [{options: {url: 'https://a', headersFrom: [{}]}}]}              | needs one of configMapRef
                {requests: [{sha256: planted, options: {url: 'https://a'}}]}                | 64 hexadecimal digits
                {requests: [], backendService: ftp}                                         | has to be generic, s3 or git
                {requests: [{options: {git: {}}}]}                                          | needs backendService: git
                {requests: [], interval: soon}                                              | such as 30s, 5m or 1h
                {requests: [], interval: 0}                                                 | such as 30s, 5m or 1h
                {requests: [], maxRemovals: some}                                           | .maxRemovals has to be
                {requests: [], bucket: 'a b'}                                               | .bucket has to have 1 to 128
                {requests: [], token: planted}                                              | .token is an unknown key
                {requests: [{options: {url: '****** 0123456789abcdef'}}]}                   | is masked
                """)
    void shouldPointAtAnErrorWithoutQuotingTheValue(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(FetchException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("planted");
    }

    @ParameterizedTest
    @CsvSource({
        "sites/a/db.yaml, sites/a/db.yaml, true",
        "sites/a/db.yaml, sites/a/x.yaml, false",
        "sites/a, sites/a/x.yaml, true",
        "sites/a, sites/a/README.md, false",
        "sites/a, sites/a/b/x.yaml, false",
        "sites/a/*, sites/a/x.json, true",
        "sites/a/*.yml, sites/a/x.yml, true",
        "sites/a/*.yml, sites/a/x.yaml, false",
        "sites/**, sites/a/b/x.yaml, true",
        "sites/**, sites/.hidden/x.yaml, false",
        "**, x.yaml, true",
        "sites/a/*.txt, sites/a/x.txt, true",
        ". , x.yaml, true",
        "./a/, a/x.yaml, true",
        "/a, a/x.yaml, true"
    })
    void shouldMatchFilesByPattern(String pattern, String file, boolean isMeant) throws Exception {
        assertThat(FilePattern.of(pattern).matches(file)).isEqualTo(isMeant);
    }

    private static void assertInvalid(String yaml, String named) {
        assertThatThrownBy(() -> read(yaml))
                .as(yaml)
                .isInstanceOfSatisfying(
                        FetchException.class, e -> assertThat(e.code()).isEqualTo(FetchException.Code.INVALID_RESOURCE))
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://192.0.2.1:99999/",
                "https://example.org:65536/a",
                "http://example.org:0/",
                "http://example.org:99999999999/",
                "http://example.org:-1/",
                "http://example.org:x/",
                "http://-a/",
                "http://a b/",
                "http://[::1/",
                "http://[x]/",
                "http://[::1]:99999/",
                "http:///a",
                "http://",
                "http:a",
                "https://:80/",
                "https://a@b/",
                "https://a:b@c/",
                "https://@c/",
                "https://example.org//a",
                "https://exa_mple.org/",
                "https://ex\u00e4mple.org/",
                "https://example.org/%zz",
                "https://example.org/|",
                "ssh://git@example.org/a",
                "file:///etc/passwd",
                "ftp://example.org/",
                "/a",
                "a",
                "?",
                "::",
                "http://\\t/"
            })
    void shouldReportAnInvalidUrl(String url) {
        String quoted = '"' + url + '"';
        for (String backend : List.of("generic", "s3")) {
            assertInvalid(
                    "{backendService: %s, requests: [{options: {url: %s}}]}".formatted(backend, quoted),
                    ".requests[0].options.url");
            assertInvalid(
                    "{backendService: %s, requests: [{options: {uri: %s}}]}".formatted(backend, quoted),
                    ".requests[0].options.uri");
        }
        assertInvalid(
                "{backendService: s3, auth: {iam: {url: %s, grantType: a, apiKey: b}}, requests: []}".formatted(quoted),
                ".auth.iam.url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssh://-oX=y/x",
                "ssh://h@-oX=y z/x",
                "ssh://-oX=y@example.org/x",
                "-oX=y@example.org:x",
                "ssh://git@example.org:99999/x",
                "ssh://git@example.org:0/x",
                "ssh://git@example.org:99999999999/x",
                "ssh:///x",
                "ssh://exa mple.org/x",
                "git@exa mple.org:x",
                "git@example.org:-x",
                "ssh://git@[::1/x",
                "ssh://git:secret@example.org/x",
                "http://example.org:99999/x.git",
                "https://example.org:0/x.git",
                "https://a b/x.git",
                "https://-a/x.git",
                "https:///x.git",
                "https://example.org//x.git",
                "HTTPS://example.org:99999/x.git",
                "https://example.org/%zz",
                "file://host/x",
                "file:///a%00b",
                "https://example.org/a\\nb"
            })
    void shouldReportAnInvalidAddressOfARepository(String repository) {
        assertInvalid(git("git", '"' + repository + '"', ""), ".requests[0].options.git.repo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-x",
                "--upload-pack=x",
                "a..b",
                "a b",
                "a~1",
                "a^",
                "a:b",
                "a?",
                "a*",
                "a[b",
                "a\\\\b",
                ".a",
                "a/.b",
                "a.lock",
                "a/",
                "/a",
                "a//b",
                "a.",
                "@",
                "a@{b",
                "a\\tb",
                "a\\u007fb"
            })
    void shouldRefuseNamesThatGitRefuses(String name) {
        for (String member : List.of("ref", "branch")) {
            for (String provider : List.of("git", "github", "gitlab")) {
                assertInvalid(
                        git(provider, "https://example.org/a/b", ", " + member + ": \"" + name + '"'),
                        ".requests[0].options.git." + member);
            }
        }
        assertInvalid(git("github", "https://example.org/a/b", ", release: \"" + name + '"'), "git.release");
    }

    private static String git(String provider, String repository, String more) {
        return "{backendService: git, requests: [{options: {git: {provider: %s, repo: %s, filePath: a%s}}}]}"
                .formatted(provider, repository, more);
    }
}
