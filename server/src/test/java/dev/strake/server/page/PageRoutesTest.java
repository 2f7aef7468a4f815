package dev.strake.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Hosts;
import dev.strake.server.http.HttpEndpoint;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the page, as a browser loads them. */
class PageRoutesTest {

    private static final Path FILES = Path.of("src/main/resources/dev/strake/server/page");

    private final HttpClient client = HttpClient.newHttpClient();
    private AccessControl access;
    private HttpEndpoint endpoint;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws IOException {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Path tokens = Files.writeString(directory.resolve("tokens"), "# nobody\n");
        access = AccessControl.of(Settings.defaults().with(Catalogue.ACCESS_TOKENS, tokens));
        endpoint = HttpEndpoint.start(anyPort, Hosts.of(anyPort, List.of()), access, List.of(PageRoutes.bulkhead()));
    }

    @AfterEach
    void stop() {
        endpoint.close();
        access.close();
    }

    @Test
    void shouldServeThePageWithoutAToken() throws Exception {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(page.body()).contains("<main id=\"main\"");
        assertThat(get("/page/problems.md").body()).contains("## SubstitutionSourceNotFound");
    }

    @Test
    void shouldLetABrowserRunNothingButItsOwnFiles() throws Exception {
        for (String path : List.of("/", "/page/main.js", "/page/page.css", "/page/icon.svg")) {
            HttpResponse<String> file = get(path);
            assertThat(file.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .as(path)
                    .contains(
                            "default-src 'none'",
                            "script-src 'self'",
                            "frame-ancestors 'none'",
                            "base-uri 'none'",
                            "require-trusted-types-for 'script'")
                    .doesNotContain("unsafe", "http:", "https:", "data:", "*");
            assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(file.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        }
    }

    @Test
    void shouldSendAFileAgainOnlyWhenItChanged() throws Exception {
        String tag = get("/page/main.js").headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again = get("/page/main.js", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("ETag")).hasValue(tag);
        assertThat(get("/page/page.css", "If-None-Match", tag).statusCode()).isEqualTo(200);
        assertThat(get("/page/main.js", "If-None-Match", "\"another\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldServeNothingButFilesOfThePage() throws Exception {
        for (String name : List.of(
                "PageRoutes.class",
                "package-info.class",
                "nothing.js",
                "..%2Fpage%2Fmain.js",
                "%2e%2e%2fServer.class",
                ".",
                "",
                "%2Fetc%2Fpasswd",
                "MAIN.JS",
                "logback.xml")) {
            HttpResponse<String> answer = get("/page/" + name);
            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(answer.body()).as(name).contains("NotFound");
        }
        assertThat(get("/page/main.js%00").statusCode()).isEqualTo(400);
        assertThat(get("/page").statusCode()).isEqualTo(404);
        assertThat(get("/page/a/main.js").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldServeEveryReferencedFile() throws Exception {
        Pattern named = Pattern.compile("(?:from |import\\(|new URL\\()'\\./?([^']+)'|(?:href|src)=\"page/([^\"]+)\"");
        int found = 0;
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                Matcher matcher = named.matcher(Files.readString(file));
                while (matcher.find()) {
                    String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                    assertThat(get("/page/" + name).statusCode())
                            .as("%s names %s", file.getFileName(), name)
                            .isEqualTo(200);
                    found++;
                }
                assertThat(get("/page/" + file.getFileName()).statusCode())
                        .as("%s has a name that can be asked for", file.getFileName())
                        .isEqualTo(200);
            }
        }
        assertThat(found).isGreaterThan(20);
    }

    @Test
    void shouldNeverParseTextAsHtmlOrCode() throws Exception {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".js")).toList()) {
                assertThat(Files.readString(file).replace("http://www.w3.org/2000/svg", "the name of a namespace"))
                        .as("%s", file.getFileName())
                        .doesNotContain(
                                "innerHTML",
                                "outerHTML",
                                "insertAdjacentHTML",
                                "document.write",
                                "eval(",
                                "DOMParser",
                                "srcdoc",
                                "new Function",
                                "http://",
                                "https://");
            }
        }
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
