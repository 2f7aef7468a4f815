package dev.strake.checks.page;

import static dev.strake.cli.StrakeCommand.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.TestStrake;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Answers users' questions with the page, on a real site. */
@Order(1) // slow
class PageIT {

    private static final String DECKHAND = "#/w/airsloop/document/armada%2FChart%2Fv1/ucp-deckhand";

    private static final String RESULT = ".panes .pane:last-child";

    private static final String BROKEN = """
            schema: example/Server/v1
            metadata:
              schema: metadata/Document/v1
              name: web
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
                - src: {schema: example/Secret/v1, name: nowhere, path: .}
                  dest: {path: .password}
            data: {replicas: 1}
            """;

    private static final String STACK = policy() + """
            ---
            schema: heat/Template/v1
            metadata: {schema: metadata/Document/v1, name: site.yaml, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data:
              heat_template_version: rocky
              parameters: {zone: {type: string, description: Where it is built}}
              resources: {db: {type: lib/server.yaml, properties: {name: {get_param: zone}}}}
            ---
            schema: heat/Template/v1
            metadata: {schema: metadata/Document/v1, name: lib/server.yaml, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data:
              heat_template_version: rocky
              parameters:
                name: {type: string}
                disk: {type: number, default: 20}
                tier: {type: string, constraints: [{allowed_values: [gold, '1']}]}
                nodes: {type: number, constraints: [{range: {min: 1, max: 9}}]}
            ---
            schema: heat/Stack/v1
            metadata: {schema: metadata/Document/v1, name: site, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {template: site.yaml}
            """;

    @TempDir
    static Path directory;

    private static TestStrake server;
    private static Browser browser;
    private static String token;
    private static String readerToken;

    @BeforeAll
    static void start() throws Exception {
        browser = Browser.start();
        Path tokens = directory.resolve("tokens");
        token = run(0, "token", "page", "reader@*", "publisher@*", "--file", tokens.toString())
                .strip();
        readerToken = run(0, "token", "visitor", "reader@*", "--file", tokens.toString())
                .strip();
        server =
                TestStrake.start(directory.resolve("data"), settings -> settings.with(Catalogue.ACCESS_TOKENS, tokens));
        browser.at(server.url());
        Path site = directory.resolve("site");
        run(0, "demo", "--write", site.toString());
        publish(0, "airsloop", "alice", "Import the site", site);
        Path versions = site.resolve("global/software/config/versions.yaml");
        Files.writeString(
                versions,
                Files.readString(versions).replaceFirst("ceph-config-helper:[^\\s]+", "ceph-config-helper:next"));
        publish(0, "airsloop", "bob", "Take the next image", site);
        publish(0, "shop", "carol", "First server", file("shop.yaml", policy() + "---\n" + server("web", 1)));
        publish(1, "shop", "dave", "Add a password", file("shop.yaml", policy() + "---\n" + BROKEN));
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

    @BeforeEach
    void enter() {
        browser.give(token);
    }

    @AfterEach
    void nothingWasForbidden() {
        browser.assertNothingWasForbidden();
    }

    @Test
    void shouldOpenEachAddressOfItsGuideAsWritten() throws Exception {
        List<String> addresses = Pattern.compile("`(#/[^`]*)`")
                .matcher(Files.readString(DeployedFiles.PROJECT.resolve("docs/page.md")))
                .results()
                .map(found -> found.group(1)
                        .replace("WORKSPACE", "airsloop")
                        .replace("SCHEMA", "armada/Chart/v1")
                        .replace("NAME", "ucp-deckhand")
                        .replace("FROM/TO", "1/published")
                        .replace("=N", "=1"))
                .toList();
        assertThat(addresses).hasSizeGreaterThan(9);
        for (String address : addresses) {
            browser.open(address);
            assertThat(browser.text("main")).as(address).isNotBlank().doesNotContain("There is no", "This view failed");
        }
        browser.open("#/w/airsloop/document/armada/Chart/v1/ucp-deckhand?path=.chart_name");
        browser.awaitText(".side", "chart_name");
    }

    @Test
    void shouldListWorkspacesInTrouble() throws Exception {
        browser.open("#/");
        browser.awaitText(".summary", "failed");
        assertThat(browser.text("thead")).as("the word of the metrics").containsIgnoringCase("held");
        List<String> rows = browser.texts("tbody tr[data-index]");
        assertThat(rows)
                .filteredOn(each -> each.contains("shop"))
                .singleElement()
                .asString()
                .contains("failed", "SubstitutionSourceNotFound web", "dave", "Add a password");
        assertThat(rows).last().asString().as("those in trouble come first").contains("rendered");
        browser.assertAccessible();

        browser.click("tbody a", "shop");
        browser.awaitText(".problem", "SubstitutionSourceNotFound");
        assertThat(browser.text(".problem"))
                .contains("web", ".metadata.substitutions[0].src", "publish it, or correct");
        browser.assertAccessible();
        browser.click(".problem a", "SubstitutionSourceNotFound");
        browser.awaitText("h1", "SubstitutionSourceNotFound");
        assertThat(browser.text("main")).contains("The source of a substitution does not exist");
    }

    @Test
    void shouldShowAndLinkTheFirstCauseOfTrouble() throws Exception {
        publish(0, "worse", "carol", "First server", file("worse.yaml", policy() + "---\n" + server("web", 1)));
        browser.open("#/?q=worse");
        browser.awaitText("#connection", "Live");
        browser.awaitText("tbody", "First server");
        String consequence = BROKEN.replace("name: web", "name: a-child")
                .replace("nowhere", "web")
                .replace("Secret", "Server");
        Path broken = file(
                "worse.yaml",
                policy() + "---\n" + BROKEN + "---\n" + consequence + "---\n" + BROKEN.replace(": web", ": other"));
        publish(1, "worse", "dave", "Add passwords", broken);
        browser.awaitText("tbody tr[data-index]", "Add passwords");
        String asItCame = browser.text("td.trouble");
        assertThat(asItCame)
                .as("not what comes of it, though that is the first by name")
                .contains("SubstitutionSourceNotFound other", "and 1 more, 1 document waits for them");
        browser.press("r");
        browser.awaitText("tbody", "Add passwords");
        assertThat(browser.text("td.trouble")).as("as the list tells it").isEqualTo(asItCame);
        browser.assertAccessible();

        browser.click("td.trouble a", "other");
        browser.awaitText(".problem.asked", "other");
        assertThat(browser.run("return document.activeElement.classList.contains('asked')"))
                .isEqualTo(true);
        browser.assertAccessible();
        String address = browser.address();
        String asked = address.substring(address.indexOf('#'));
        assertThat(asked).contains("name=other");
        browser.open(asked.replace("name=other", "name=a-child"));
        browser.awaitText(".problem.asked", "web");
        Path mended = file("worse.yaml", policy() + "---\n" + BROKEN + "---\n" + consequence);
        publish(1, "worse", "dave", "Mend one", mended);
        browser.open(asked);
        browser.awaitText("main", "other has no problem any more");
    }

    @Test
    void shouldShowTheEffectOfAChange() {
        browser.open("#/w/airsloop/activity");
        browser.awaitText("tbody", "Take the next image");
        assertThat(browser.texts("tbody tr[data-index]").get(0)).contains("bob", "rendered");
        assertThat(browser.texts("tbody tr[data-index] td:nth-child(5)"))
                .as("how long it took is known of changes before the view was open, too")
                .allMatch(cell -> cell.matches("[\\d.]+ m?s"));
        assertThat(browser.all("tbody tr[data-index] .effect").get(0).getAttribute("aria-label"))
                .matches("affected \\d+, evaluated \\d+, emitted \\d+");
        browser.assertAccessible();

        browser.click("tbody a", "Take the next image");
        browser.awaitText("h1", "Revision 2");
        assertThat(browser.text(".change pre.after")).contains("ceph-config-helper:next");
        assertThat(browser.text(".change .at")).contains("ceph_config_helper");
        browser.assertAccessible();
    }

    @Test
    void shouldListTheDocumentsOfAWorkspace() {
        browser.open("#/w/airsloop/documents");
        browser.awaitText("[role=status]", "427 documents");
        browser.assertAccessible();

        browser.click(".facets button", "deckhand/Passphrase/v1");
        browser.awaitText("[role=status]", "91 of 427 documents");
        assertThat(browser.address()).contains("schema=deckhand%2FPassphrase%2Fv1");
        browser.type("input[aria-label='Search documents']", "keystone oslo");
        browser.type("input[aria-label='Filter by labels']", "no=such");
        browser.awaitText(".empty", "No document fits");
        browser.click(".empty button", "Show all");
        browser.type("input[aria-label='Filter by labels']", "name=ucp-deckhand-global");
        browser.awaitText("[role=status]", "1 of 427 documents");
        browser.click("tbody a", "ucp-deckhand");
        browser.awaitText(".code", "chart_name");
        assertThat(browser.all(".code")).hasSize(2);
    }

    @Test
    void shouldShowTheSourceOfAValue() {
        browser.open(DECKHAND);
        browser.click(".code[aria-label$=rendered] .leaf", "deckhand: 1");
        browser.awaitText(".cause.won", "Layered");
        assertThat(browser.texts(".chain > .cause").get(0)).contains("type", "deckhand.yaml", "wins");
        assertThat(browser.texts(".chain > .cause.lost").get(0)).contains("From the parent", "2", "global");
        assertThat(browser.text(".side h4")).isEqualTo("Overridden");
        assertThat(browser.all(".losers .won")).isEmpty();
        assertThat(browser.text(".losers"))
                .as("what wins nowhere")
                .contains("Written here")
                .doesNotContain("wins");
        assertThat(browser.address()).contains("path=.values.pod.replicas.deckhand");
        browser.assertAccessible();

        String shared = browser.address();
        browser.open(shared.substring(shared.indexOf('#')));
        browser.awaitText(".cause.won", "Layered");
        browser.press(Keys.ESCAPE);
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(() -> assertThat(browser.address()).doesNotContain("path="));

        browser.open(DECKHAND + "?path=.values.images.tags.deckhand");
        browser.awaitText(".cause.won", "Substituted");
        browser.click(".cause a.document", "software-versions");
        browser.awaitText("h1", "software-versions");
    }

    @Test
    void shouldWorkWithTheKeyboardAlone() {
        browser.open("#/w/airsloop/documents");
        browser.awaitText("[role=status]", "427 documents");
        browser.press("/");
        browser.press("ucp-deckhand");
        browser.awaitText("[role=status]", "of 427");
        browser.press(Keys.ESCAPE);
        browser.press("j");
        browser.press(Keys.ENTER);
        browser.awaitText("h1", "ucp-deckhand");
        browser.press("j");
        browser.press("j");
        browser.press(Keys.ENTER);
        browser.awaitText(".cause.won .kind", "");
        assertThat(browser.address()).as("a leaf of the rendered document").contains("path=.");
        browser.press(Keys.ESCAPE);
        browser.press(Keys.ARROW_LEFT);
        assertThat(browser.run("return document.activeElement.closest('.code').getAttribute('aria-label')"))
                .isEqualTo("ucp-deckhand as published");
        browser.press("?");
        browser.awaitText("dialog", "all workspaces");
        browser.assertAccessible();
        browser.press(Keys.ESCAPE);
        browser.press("h");
        browser.awaitText("h1", "History");
        browser.press("w");
        browser.awaitText("h1", "Workspaces");
    }

    @Test
    void shouldDrawAffectedDocuments() {
        browser.open("#/w/airsloop/graph");
        browser.awaitText("[role=status]", "427 documents in");
        browser.assertAccessible();

        browser.type("input[aria-label='Find a document']", "software-versions" + Keys.ENTER);
        browser.awaitText(".side h2", "software-versions");
        browser.click("button[data-mode=reaches]");
        browser.awaitText(".side", "Reaches, by depth");
        browser.awaitText(".side", "substitutes from software-versions");
        assertThat(browser.address()).contains("mode=reaches", "name=software-versions");

        browser.open("#/w/airsloop/document/armada%2FChart%2Fv1/keystone?layer=global"); // another document replaces it
        browser.click("a.button", "What it reaches");
        browser.awaitText(".side", "directly (1)");
        assertThat(browser.texts(".side .tag.layer")).containsExactly("global");
        assertThat(browser.texts(".side .depths .hint")).containsExactly("replaces keystone");
        assertThat(browser.address()).contains("layer=global");

        browser.open("#/w/airsloop/graph?schema=armada%2FChart%2Fv1&name=ucp-deckhand&layer=type&mode=made");
        browser.awaitText(".side", "Made of, by depth");
        assertThat(browser.texts(".node text")).contains("software-versions", "ucp_deckhand_keystone_…");
        assertThat(browser.texts(".lane-title")).containsExactly("global", "type", "site");
        browser.assertAccessible();
        String file = (String) browser.runAsync("""
                const done = arguments[arguments.length - 1];
                const make = URL.createObjectURL;
                URL.createObjectURL = blob => {
                  blob.text().then(done);
                  return make.call(URL, blob);
                };
                [...document.querySelectorAll('button')].find(each => each.textContent === 'Download SVG').click()""");
        assertThat(file).startsWith("<svg").contains("software-versions", "stroke-dasharray");

        browser.click("button[data-mode=all]");
        browser.awaitText("[role=status]", "427 documents, ");
    }

    @Test
    void shouldPlanAChange() throws Exception {
        publish(0, "calm", "carol", "First server", file("calm.yaml", policy() + "---\n" + server("web", 1)));
        browser.open("#/w/calm/plan");
        browser.run("document.querySelector('textarea').focus()");
        browser.press(server("web", 5));
        browser.click("button.primary", "Plan");
        browser.awaitText(".change .at", ".replicas");
        assertThat(browser.text(".change pre.before")).contains("1");
        assertThat(browser.text(".change pre.after")).contains("5");
        browser.assertAccessible();

        browser.open("#/w/shop/plan");
        browser.run(
                "const text = document.querySelector('textarea'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))",
                server("web", 5));
        browser.click("button.primary", "Plan");
        browser.awaitText("main", "Would vanish: 1 problem");
        assertThat(browser.text(".mended .problem")).contains("SubstitutionSourceNotFound");

        browser.run(
                "const text = document.querySelector('textarea'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))",
                server("db", 1) + "---\n" + BROKEN.replace("name: web", "name: other"));
        browser.click("button.primary", "Plan");
        browser.awaitText(".problem", "SubstitutionSourceNotFound");
        browser.click(".problem button", "line 16");
        assertThat(
                        browser.run(
                                "const text = document.activeElement; return text.value.slice(text.selectionStart, text.selectionEnd)"))
                .asString()
                .contains("name: nowhere");

        browser.run(
                "const text = document.querySelector('textarea'); text.value = 'a: [1'; text.dispatchEvent(new Event('input'))");
        browser.click("button.primary", "Plan");
        browser.awaitText(".problem", "InvalidYaml");
    }

    @Test
    void shouldCountCausesInTheTabAndNotWaitingDocuments() throws Exception {
        StringBuilder many = new StringBuilder(policy() + "---\n" + BROKEN);
        for (int i = 0; i < 120; i++) {
            many.append("---\n")
                    .append(BROKEN.replace("name: web", "name: a-" + i)
                            .replace("nowhere", "web")
                            .replace("Secret", "Server"));
        }
        publish(1, "many", "dave", "Add passwords", file("many.yaml", many.toString()));
        browser.open("#/w/many/problems");
        browser.awaitText("main", "1 problem, 120 documents wait for it");
        browser.awaitText("#tabs .count", "1");
        assertThat(browser.run("return document.querySelector('#tabs .count').textContent"))
                .isEqualTo("1 problem");
    }

    @Test
    void shouldConfirmBeforeABucketIsReplacedEntirely() throws Exception {
        publish(0, "small", "carol", "First server", file("small.yaml", policy() + "---\n" + server("web", 1)));
        browser.open("#/w/small/plan?bucket=default&type=dev.strake.bucket.put");
        edit(policy().replace("name: ", "name: other-") + "---\n" + server("db", 1));
        browser.click("button.primary", "Plan");
        browser.await(".publishing button");
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing [role=alert]", "none would be left");
        browser.assertAccessible();
        browser.click(".publishing [role=alert] button", "Remove them");
        browser.awaitText(".publishing", "Revision 2 published");
    }

    @Test
    void shouldPublishExactlyThePlan() throws Exception {
        browser.open("#/w/release/plan"); // this workspace does not exist yet
        edit(policy() + "---\n" + server("web", 1));
        browser.click("button.primary", "Plan");
        browser.awaitText(".publishing button", "Publish: 2 rendered documents change");
        browser.awaitText(".publishing .hint", "If left empty, History does not show why.");
        browser.type(".publishing label:nth-of-type(1) input", "erin");
        browser.type(".publishing label:nth-of-type(2) input", "First <b>server</b>");
        assertThat(browser.text(".publishing .hint")).isEmpty();
        assertThat(browser.text(RESULT)).contains("It would be", "Rendered documents that would differ (2)");
        browser.assertAccessible();
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing", "Revision 1 published");
        assertThat(browser.text(RESULT))
                .as("what was planned has happened")
                .contains("It is", "Rendered documents that differ (2)")
                .doesNotContain("would");

        edit(server("web", 2));
        browser.click("button.primary", "Plan");
        browser.await(".publishing button");
        edit(server("web", 3));
        browser.awaitText("main", "The text was edited. Plan it again before you publish.");
        assertThat(browser.all(".publishing")).isEmpty();
        browser.click("button.primary", "Plan");
        browser.await(".publishing button");
        publish(0, "release", "frank", "Meanwhile", file("release.yaml", policy() + "---\n" + server("web", 9)));
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing [role=alert]", "somebody else changed the workspace after this plan");

        browser.open("#/w/release/history");
        assertThat(browser.texts("tbody tr[data-index]")).hasSize(2);
        assertThat(browser.text("tbody")).contains("erin", "First <b>server</b>", "frank");
        browser.click("tbody a", "Roll back…");
        browser.await(".publishing button");
        browser.assertAccessible();
        browser.click(".publishing button", "Roll back");
        browser.awaitText(".publishing", "Revision 3 published 1 record");
        browser.awaitText("h1", "Rolled back to revision 1");
        assertThat(browser.text("main")).doesNotContain("would");
        browser.click(".publishing a", "Revision 3");
        browser.awaitText(".change pre.after", "1");

        browser.give(readerToken);
        browser.open("#/w/release/rollback/2");
        browser.click(".publishing button", "Roll back");
        browser.awaitText(".publishing [role=alert]", "publisher");
        browser.open("#/w/release/history");
        assertThat(browser.texts("tbody tr[data-index]")).hasSize(3);
    }

    @Test
    void shouldPlanAnEditOfADocument() throws Exception {
        Path kept = directory.resolve("edited.yaml");
        publish(0, "edited", "carol", "First server", Files.writeString(kept, policy() + "---\n" + server("web", 1)));
        browser.open("#/w/edited/document/example%2FServer%2Fv1/web");
        browser.click("a.button", "Plan a change");
        browser.awaitText(".about", "as published");
        assertThat(planned()).contains("name: web", "storagePolicy: cleartext", "replicas: 1");
        String address = browser.address();
        String shared = address.substring(address.indexOf('#'));
        edit(planned().replace("replicas: 1", "replicas: 7"));
        browser.awaitText(".about", "Your draft of web");
        browser.click("button.primary", "Plan");
        browser.awaitText(".change .at", ".replicas");
        browser.awaitText(RESULT, "Its source is");
        browser.assertAccessible();

        browser.open("#/w/edited/plan");
        assertThat(planned()).as("a draft of its own").isEmpty();
        browser.open(shared);
        browser.awaitText(".about", "Your draft of web");
        assertThat(planned()).contains("replicas: 7");

        publish(0, "edited", "frank", "Meanwhile", Files.writeString(kept, policy() + "---\n" + server("web", 9)));
        browser.click("button.primary", "Plan");
        browser.awaitText(".about", "Somebody else changed web");
        browser.awaitText(".about", "Publishing it would undo that change.");
        browser.click(".about button", "Start again");
        browser.awaitText(".about", "as published");
        assertThat(planned()).contains("replicas: 9");
        edit(planned().replace("replicas: 9", "replicas: 8"));
        browser.click("button.primary", "Plan");
        browser.awaitText(".publishing button", "Publish: 1 rendered document changes");
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing", "Revision 3 published");
        browser.awaitText(".about", "as published");

        browser.open(shared + "&revision=1"); // the view of a colleague without a draft
        browser.awaitText(".about", "in revision 1");
        assertThat(planned()).contains("replicas: 1");
        browser.open("#/w/edited/document/example%2FServer%2Fv1/web?revision=2");
        browser.await("a.plan");
        browser.press("e");
        browser.awaitText(".about", "in revision 2");
        assertThat(browser.run("return document.activeElement.tagName")).isEqualTo("TEXTAREA");
        browser.open("#/w/edited/plan?schema=example%2FServer%2Fv1&name=nobody");
        browser.awaitText(RESULT, "nobody");
        browser.awaitText(RESULT, "is not in revision 3");
    }

    @Test
    void shouldNotPlanMasksInPlaceOfSecrets() throws Exception {
        String secret = server("vault", 1)
                .replace("cleartext", "encrypted")
                .replace("data: {replicas: 1}", "data: {password: swordfish}");
        publish(0, "vaults", "carol", "A secret", file("vaults.yaml", policy() + "---\n" + secret));
        browser.open("#/w/vaults/document/example%2FServer%2Fv1/vault");
        browser.awaitText(".about", "publishing them would destroy the values");
        assertThat(browser.all("a.button.plan")).isEmpty();
        browser.assertAccessible();
        browser.press("e");
        browser.awaitText(RESULT, "publishing them would destroy the values");
        browser.awaitText(RESULT, "Change it at its source");
        assertThat(planned()).as("no masks").isEmpty();
        browser.assertAccessible();

        edit(secret.replace("swordfish", "marlin"));
        browser.click("button.primary", "Plan");
        browser.awaitText(".publishing button", "Publish: 1 rendered document changes");
        assertThat(browser.text(RESULT)).doesNotContain("marlin", "swordfish");
        browser.open("#/w/vaults/plan");
        edit(secret.replace("swordfish", "marlin"));
        browser.open("#/w/vaults/plan?schema=example%2FServer%2Fv1&name=vault&layer=site");
        browser.awaitText(RESULT, "It is secret");
        assertThat(planned()).isEmpty();
        assertThat(browser.run("return JSON.stringify(sessionStorage) + location.href"))
                .asString()
                .doesNotContain("marlin");
    }

    @Test
    void shouldCompareTextsLineByLine() throws Exception {
        String script = "        line of a script\n".repeat(40);
        String before = server("web", 1).replace("data: {replicas: 1}", "data:\n      script: |\n" + script);
        publish(0, "texts", "carol", "A script", file("texts.yaml", policy() + "---\n" + before));
        browser.open("#/w/texts/plan");
        edit(before.replaceFirst("(?s)(.*)line of a script", "$1another line"));
        browser.click("button.primary", "Plan");
        browser.awaitText(".by-lines", "another line");
        assertThat(browser.texts(".by-lines pre.before"))
                .singleElement()
                .asString()
                .endsWith("line of a script");
        assertThat(browser.texts(".by-lines pre.after"))
                .singleElement()
                .asString()
                .endsWith("another line");
        assertThat(browser.texts(".by-lines .left")).containsExactly("36 lines the same");
        browser.assertAccessible();
    }

    private static void edit(String documents) {
        browser.run(
                "const text = document.querySelector('textarea'); text.value = arguments[0]; text.dispatchEvent(new Event('input'))",
                documents);
    }

    @Test
    void shouldShowThePreviousValue() {
        browser.open("#/w/airsloop/history");
        assertThat(browser.texts("tbody tr[data-index]"))
                .hasSize(2)
                .first()
                .asString()
                .contains("bob", "Take the next image", "head");
        browser.assertAccessible();
        browser.all("tbody input[type=checkbox]").forEach(WebElement::click);
        browser.click(".bar button", "Compare 1 → 2");
        browser.awaitText("h2", "Rendered documents:");
        assertThat(browser.address()).endsWith("#/w/airsloop/compare/1/2");

        browser.open("#/w/airsloop/history");
        browser.click("tbody a", "Roll back…");
        browser.awaitText("h1", "Roll back to revision 1");
        assertThat(browser.text(".change pre.before")).contains("ceph-config-helper:next");
        browser.assertAccessible();
    }

    @Test
    void shouldShowWhetherARevisionIsReady() throws Exception {
        publish(0, "ready", "erin", "Expect a validation", file("ready.yaml", policy() + """
                ---
                schema: deckhand/ValidationPolicy/v1
                metadata: {schema: metadata/Control/v1, name: site-is-ready}
                data: {validations: [{name: site-validation}]}
                """));
        browser.open("#/w/ready/history");
        browser.awaitText(".bar .chip", "not ready");
        browser.click(".bar a", "not ready");
        browser.awaitText("h1", "Validations");
        assertThat(browser.texts("section[aria-label=site-is-ready] li"))
                .singleElement()
                .asString()
                .contains("site-validation", "missing");
        assertThat(browser.text("section[aria-label=site-validation]")).contains("site-is-ready expects it");
        assertThat(browser.text("section[aria-label=deckhand-schema-validation]"))
                .contains("ignored [success]");
        browser.assertAccessible();
    }

    @Test
    void shouldMarkDerivedDocuments() throws Exception {
        publish(0, "cloud", "frank", "A stack", file("stack.yaml", STACK));
        browser.open("#/w/cloud/document/heat%2FStack%2Fv1/site");
        browser.awaitText(".pane", "Derived from it: 2");
        browser.click(".depths a", "heat/ParameterSchema/v1");
        browser.awaitText("h2", "3 parameters need a value");
        assertThat(browser.text("main table")).contains("zone", "String");
        assertThat(browser.text("form .hint")).contains("Number · range 1 to 9 · used at db.nodes");
        browser.type("#parameter-0", "north: 1");
        browser.click("#parameter-1 option", "1");
        browser.type("#parameter-2", "3");
        browser.click("form button", "Show the environment");
        browser.awaitText(
                "form pre", "parameters:\n  zone: \"north: 1\"\nparameter_defaults:\n  tier: \"1\"\n  nodes: 3");
        browser.assertAccessible();
        browser.width(400);
        assertThat(
                        browser.run(
                                "return [...document.querySelectorAll('form button')].filter(each => each.getBoundingClientRect().right > innerWidth).length"))
                .as("buttons that are cut off on a telephone")
                .isEqualTo(0L);
        browser.width(1280);
        browser.click(".pane button", "Text");
        browser.click(".code[aria-label$=rendered] .leaf", "status: needs-input");
        browser.awaitText(".cause.won", "Derived");
    }

    @Test
    void shouldPlanAndPublishTheParametersOfATreeOfTemplates() throws Exception {
        publish(0, "needs", "frank", "A stack", file("needs.yaml", STACK));
        browser.open("#/w/needs/document/heat%2FParameterSchema%2Fv1/site");
        browser.awaitText("h2", "3 parameters need a value");
        browser.click("form button.primary", "Plan these values");
        browser.awaitText("form [role=status]", "Enter a value first");
        browser.type("#parameter-0", "north: 1");
        browser.click("form button.primary", "Plan these values");
        browser.awaitText("main", "It would be");
        assertThat(planned())
                .contains(
                        "name: site-values.yaml",
                        "storagePolicy: cleartext",
                        "zone: \"north: 1\"",
                        "environments:\n    - site-values.yaml");
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing", "Revision 2 published");

        browser.open("#/w/needs/document/heat%2FParameterSchema%2Fv1/site");
        browser.awaitText("h2", "2 parameters need a value");
        browser.click("#parameter-0 option", "gold");
        browser.type("#parameter-1", "3");
        browser.click("form button.primary", "Plan these values");
        browser.awaitText("main", "It would be");
        assertThat(planned())
                .as("the stack reads the environment already")
                .contains("zone: \"north: 1\"", "tier: gold", "nodes: 3")
                .doesNotContain("heat/Stack/v1");
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing", "Revision 3 published");
        browser.open("#/w/needs/document/heat%2FParameterSchema%2Fv1/site");
        browser.awaitText("main table", "zone");
        assertThat(browser.all("form")).isEmpty();
    }

    @Test
    void shouldKeepHiddenParametersOutOfEverythingButThePlan() throws Exception {
        String hidden = STACK.replace("{type: string, description: Where it is built}", "{type: string, hidden: true}");
        publish(0, "masked", "frank", "A stack", file("masked.yaml", hidden));
        browser.open("#/w/masked/document/heat%2FParameterSchema%2Fv1/site");
        browser.type("#parameter-0", "swordfish");
        browser.click("form button.primary", "Plan these values");
        browser.awaitText("main", "It would be");
        assertThat(planned()).contains("storagePolicy: encrypted", "zone: swordfish");
        assertThat(browser.text(".panes .pane:last-child")).doesNotContain("swordfish");
        assertThat(browser.run("return JSON.stringify(sessionStorage) + location.href"))
                .asString()
                .doesNotContain("swordfish");
        browser.click(".publishing button", "Publish");
        browser.awaitText(".publishing", "Revision 2 published");
        for (String view : List.of(
                "documents?q=values", "document/heat%2FEnvironment%2Fv1/site-values.yaml", "compare/1/2", "activity")) {
            browser.open("#/w/masked/" + view);
            assertThat(browser.text("main")).as(view).doesNotContain("swordfish");
        }
    }

    private static String planned() {
        return (String) browser.run("return document.querySelector('textarea').value");
    }

    @Test
    void shouldAskOnceForAToken() {
        browser.give(null);
        browser.open("#/w/airsloop/documents");
        browser.awaitText("dialog", "Enter your Strake token");
        browser.assertAccessible();
        browser.type("dialog input", "strake_wrong");
        browser.click("dialog button");
        browser.awaitText("dialog", "The token is not valid.");
        browser.type("dialog input", token);
        browser.click("dialog button");
        browser.awaitText("[role=status]", "427 documents");
        assertThat(browser.address()).doesNotContain(token);
        browser.open("#/w/airsloop/history");
        browser.awaitText("tbody", "Take the next image");
    }

    @Test
    void shouldReportALostConnection() throws Exception {
        browser.open("#/w/airsloop/documents");
        browser.awaitText("[role=status]", "427 documents");
        browser.offline(true);
        try {
            browser.click("#tabs a", "History");
            browser.awaitText("[role=alert]", "Strake does not answer");
            browser.awaitText("#connection", "Disconnected: as of");
        } finally {
            browser.offline(false);
        }
        browser.click("[role=alert] button", "Try again");
        browser.awaitText("tbody", "Take the next image");
    }

    @Test
    void shouldShowAllContentAsText() throws Exception {
        String author = HostileDocuments.TEXTS.get(0);
        publish(1, "hostile", author, HostileDocuments.TEXTS.get(3), file("hostile.json", HostileDocuments.ofTexts()));
        browser.open("#/");
        browser.awaitText("tbody", author);
        browser.open("#/w/hostile/activity");
        browser.awaitText("tbody", HostileDocuments.TEXTS.get(3));
        browser.open("#/w/hostile/problems");
        browser.awaitText(".problem", "<i>nowhere</i>");
        browser.open("#/w/hostile/graph?mode=all");
        browser.awaitText(".node", "<b>broken</b>");
        browser.open("#/w/hostile/compare/0/1");
        browser.awaitText("main", "javascript:window.pwned=3");
        for (String text : HostileDocuments.TEXTS) {
            browser.open("#/w/hostile/documents");
            browser.click("tbody a", text.startsWith("\u202E") ? "elif" : text);
            browser.awaitText(".code", "before 10");
            assertThat(browser.text("h1"))
                    .as("what cannot be seen is shown by its number")
                    .isEqualTo(text.replace("\u202E", "\\u202e")
                            .replace("\u202C", "\\u202c")
                            .replace("\u200B", "\\u200b"));
            assertThat(browser.text(".code[aria-label$='as published']"))
                    .as("a number and the order of keys are as they were published")
                    .contains("number: 1.0")
                    .containsSubsequence("\"10\": 1", "\"9\": before 10");
            assertThat(browser.run("return window.pwned")).as(text).isNull();
        }
        browser.open("#/w/hostile/documents");
        browser.click("tbody a", "__proto__");
        browser.awaitText(".code", "before 10");
        assertThat(browser.run("return ({}).polluted ?? Object.keys(Object.prototype).length"))
                .isEqualTo(0L);
    }

    private static void publish(int code, String workspace, String author, String message, Path path) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("publish", "-w", workspace, "--wait", "--bootstrap-servers", server.bootstrapServers()));
        command.addAll(List.of("--author", author, "--message", message, path.toString()));
        run(code, command.toArray(String[]::new));
    }

    private static Path file(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String policy() {
        return """
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: layering-policy}
                data: {layerOrder: [global, site]}
                """;
    }

    private static String server(String name, int replicas) {
        return """
                schema: example/Server/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {replicas: %d}
                """.formatted(name, replicas);
    }
}
