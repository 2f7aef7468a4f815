package dev.strake.checks.page;

import static dev.strake.cli.StrakeCommand.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.local.TestStrake;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the layout and visibility of elements on the page, on a desktop and on a phone. */
class PageLayoutIT {

    private static final int DESK = 1280;
    private static final int TELEPHONE = 400;

    private static final String CHART = "#/w/airsloop/document/armada%2FChart%2Fv1/ucp-deckhand";

    private static final List<String> VIEWS = List.of(
            "#/",
            "#/problem/SubstitutionSourceDataNotFound",
            "#/w/airsloop/activity",
            "#/w/airsloop/documents",
            CHART,
            "#/w/airsloop/graph?mode=overview",
            "#/w/airsloop/history",
            "#/w/airsloop/compare/1/2",
            "#/w/airsloop/validations?revision=1",
            "#/w/airsloop/rollback/1",
            "#/w/airsloop/problems",
            "#/w/airsloop/plan");

    @TempDir
    static Path directory;

    private static TestStrake server;
    private static Browser browser;
    private static Path versions;

    @BeforeAll
    static void start() throws Exception {
        browser = Browser.start();
        server = TestStrake.start(directory.resolve("data"), settings -> settings);
        browser.at(server.url());
        Path site = directory.resolve("site");
        run(0, "demo", "--write", site.toString());
        publish(0, "default", site);
        versions = site.resolve("global/software/config/versions.yaml");
        String text = Files.readString(versions);
        Files.writeString(versions, text.replaceFirst("ceph-config-helper:[^\\s]+", "ceph-config-helper:next"));
        publish(0, "default", site);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void nothingWasForbidden() {
        browser.assertNothingWasForbidden();
        browser.width(DESK);
        browser.dark(false);
    }

    @Test
    void shouldListEachWorkspaceOnceWithItsRejectedChange() throws Exception {
        browser.open("#/");
        browser.awaitText("#connection", "Live");
        assertThat(browser.text("body")).containsOnlyOnce("Live").containsOnlyOnce("airsloop");
        publish(1, "another", versions); // the first bucket holds it
        browser.awaitText("tbody tr[data-index]", "rejected: DuplicateDocumentExists");
        assertThat(browser.texts("tbody tr[data-index]")).hasSize(1);
    }

    @Test
    void shouldShowNoChartWithoutChanges() {
        browser.open("#/w/airsloop/activity");
        assertThat(browser.text(".plots")).contains("Latency", "Changes a second");
        browser.run("const now = Date.now; Date.now = () => now() + 3_600_000");
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(() -> assertThat(browser.text(".plots")).isEmpty());
    }

    @Test
    void shouldShowTheDirectionOfAComparison() {
        browser.open("#/w/airsloop/compare/1/2");
        assertThat(browser.texts(".sides span")).containsExactly("− revision 1", "+ revision 2");
        browser.click(".bar a", "Other way round");
        browser.awaitText("h1", "Revision 2 → 1");
        assertThat(browser.texts(".sides span")).containsExactly("− revision 2", "+ revision 1");
        assertThat(browser.text(".change pre.before")).contains("ceph-config-helper:next");
        browser.assertAccessible();
    }

    @Test
    void shouldDrawEdgesAroundBoxes() {
        for (String view : List.of(
                "schema=armada%2FChart%2Fv1&name=ucp-deckhand&layer=type&mode=made",
                "schema=pegleg%2FSoftwareVersions%2Fv1&name=software-versions&layer=global&mode=reaches",
                "mode=overview")) {
            browser.open("#/w/airsloop/graph?" + view);
            browser.await(".edge");
            assertThat(browser.run("""
                    const boxes = [...document.querySelectorAll('.node')].map(each => {
                      const {e: x, f: y} = each.transform.baseVal.consolidate().matrix;
                      const {width, height} = each.querySelector('rect').getBBox();
                      return {name: each.getAttribute('aria-label'), left: x + 1, right: x + width - 1, top: y + 1, bottom: y + height - 1};
                    });
                    const crossed = new Set();
                    for (const edge of document.querySelectorAll('.edge[d^=M]')) {
                      const length = edge.getTotalLength();
                      for (let at = 0; edge.closest('.graph') && at <= length; at += 6) {
                        const {x, y} = edge.getPointAtLength(at);
                        boxes.filter(box => x > box.left && x < box.right && y > box.top && y < box.bottom).forEach(box => crossed.add(box.name));
                      }
                    }
                    return [...crossed]""")).as(view).isEqualTo(List.of());
        }
    }

    @Test
    void shouldCutNothingOnAPhone() {
        browser.width(TELEPHONE);
        for (String view : VIEWS) {
            browser.open(view);
            assertThat(browser.run("""
                    const isSeen = each => each.checkVisibility() && !each.closest('.graph, .code, .visually-hidden, .skip');
                    const isCut = each => each.getBoundingClientRect().right > innerWidth + 1 || each.matches('th, button, h1') && each.scrollWidth > each.clientWidth + 1;
                    return [...document.body.querySelectorAll('*')].filter(each => isSeen(each) && isCut(each)).map(each => each.outerHTML)
                    """)).as(view).isEqualTo(List.of());
        }
    }

    @Test
    void shouldShowTheContentOfHiddenColumnsOnAPhone() throws Exception {
        browser.width(TELEPHONE);
        browser.open("#/w/airsloop/history");
        browser.awaitText(".below", "rendered · ");
        browser.open("#/w/airsloop/activity");
        browser.awaitText(".below", "revision 2 · ");
        publish(1, "broken", broken());
        try {
            browser.open("#/");
            browser.awaitText(".below", "SubstitutionSourceNotFound thing");
            browser.open("#/w/airsloop/history");
            browser.awaitText(".below", "failed · ");
            browser.assertAccessible();
        } finally {
            run(
                    0,
                    ("rollback -w airsloop --wait --yes --bootstrap-servers " + server.bootstrapServers() + " 2")
                            .split(" "));
        }
    }

    private static Path broken() throws Exception {
        return Files.writeString(directory.resolve("broken.yaml"), """
                schema: example/Thing/v1
                metadata:
                  name: thing
                  layeringDefinition: {layer: site}
                  substitutions:
                  - {src: {schema: example/Secret/v1, name: nobody, path: .}, dest: {path: .secret}}
                data: {}
                """);
    }

    @Test
    void shouldFallBackToTheDefaultGraphForAnUnknownMode() {
        browser.open("#/w/airsloop/graph?schema=armada%2FChart%2Fv1&name=ucp-deckhand&layer=type&mode=neighbours");
        browser.await(".edge");
        assertThat(browser.text("[data-mode=near][aria-pressed=true]")).isEqualTo("Neighbours");
    }

    @ParameterizedTest
    @ValueSource(ints = {DESK, TELEPHONE})
    void shouldBeReadableInDarkMode(int width) {
        browser.width(width);
        browser.dark(true);
        for (String view : VIEWS) {
            browser.open(view);
            browser.assertAccessible();
        }
    }

    @Test
    void shouldKeepTheExplainedLineInView() {
        browser.width(TELEPHONE);
        browser.open(CHART);
        browser.click(".code[aria-label$=rendered] .leaf", "deckhand: 1");
        browser.awaitText(".cause.won", "Layered");
        assertThat(browser.run("""
                const line = document.querySelector('.line[aria-selected=true]').getBoundingClientRect();
                const element = document.elementFromPoint(line.left + 20, (line.top + line.bottom) / 2);
                return element.closest('.line')?.textContent""")).asString().contains("deckhand: 1");
        browser.assertAccessible();
    }

    private static void publish(int code, String bucket, Path path) throws Exception {
        List<String> command = new ArrayList<>(List.of("publish", "-w", "airsloop", "-b", bucket, "--wait"));
        command.addAll(List.of("--bootstrap-servers", server.bootstrapServers(), path.toString()));
        run(code, command.toArray(String[]::new));
    }
}
