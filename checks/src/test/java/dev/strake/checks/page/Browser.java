package dev.strake.checks.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The Chromium of this machine, headless. Without Chromium, tests are skipped visibly.
 *
 * <p>Collects violations of the page's security policy, and script errors: see {@link #assertNothingWasForbidden}.
 */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ChromeDriver driver;
    private String url;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts the browser. */
    static Browser start() {
        Path chromium = program("chromium");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox", // tests may run as root
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--force-prefers-reduced-motion",
                "--hide-scrollbars");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        Browser browser = new Browser(driver);
        driver.manage().window().setSize(new Dimension(1280, 800));
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                window.forbidden = [];
                document.addEventListener('securitypolicyviolation', event =>
                    window.forbidden.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
                window.addEventListener('error', event => window.forbidden.push('error ' + event.message));
                window.addEventListener('unhandledrejection', event => window.forbidden.push('rejection ' + event.reason));
                """));
        return browser;
    }

    private static Path program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> Assumptions.abort("no " + name));
    }

    /** Sets the address of the page. */
    void at(String address) {
        url = address;
    }

    /** Sets the token of the page, as if a user had entered it; null removes the token. */
    void give(String token) {
        driver.get(url + "/page/icon.svg");
        run("arguments[0] ? sessionStorage.setItem('strake-token', arguments[0]) : sessionStorage.clear()", token);
    }

    /** Opens a view. */
    void open(String hash) {
        assertNothingWasForbidden();
        driver.get("about:blank"); // starts the page anew, whatever it showed
        driver.get(url + "/" + hash);
        settle();
    }

    /** Waits until a view is complete. */
    void settle() {
        await("main:not([aria-busy]) .view, dialog[open]");
    }

    /** Returns the first element of a selector, as soon as it is visible. */
    WebElement await(String selector) {
        return Awaitility.await(selector)
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(
                        () -> all(selector).stream()
                                .filter(WebElement::isDisplayed)
                                .findFirst()
                                .orElse(null),
                        element -> element != null);
    }

    /** Waits until an element contains a text. */
    void awaitText(String selector, String text) {
        Awaitility.await(selector + " with " + text)
                .atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .untilAsserted(() -> assertThat(texts(selector)).anyMatch(each -> each.contains(text)));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** The visible texts of the elements of a selector, all read at one moment. */
    @SuppressWarnings("unchecked")
    List<String> texts(String selector) {
        return (List<String>) run(
                "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText ?? each.textContent)",
                selector);
    }

    String text(String selector) {
        return String.join("\n", texts(selector));
    }

    /** Clicks the first element of a selector that contains a text. */
    void click(String selector, String text) {
        awaitText(selector, text);
        Awaitility.await("a click on " + text).atMost(PATIENCE).until(() -> clicked(selector, text));
    }

    /* An element may be redrawn between search and click. */
    private boolean clicked(String selector, String text) {
        try {
            Object found = run("""
                    const found = [...document.querySelectorAll(arguments[0])].find(each => each.textContent.includes(arguments[1]));
                    found?.scrollIntoView({block: 'center'});
                    return found""", selector, text);
            if (found == null) {
                return false;
            }
            ((WebElement) found).click();
            return true;
        } catch (StaleElementReferenceException e) {
            return false;
        }
    }

    void click(String selector) {
        await(selector).click();
    }

    void type(String selector, String text) {
        WebElement field = await(selector);
        field.clear();
        field.sendKeys(text);
    }

    /** Presses keys in the focused element. An element that was redrawn meanwhile receives none of them. */
    void press(CharSequence... keys) {
        Awaitility.await("an element with the focus")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    driver.switchTo().activeElement().sendKeys(keys);
                    return true;
                });
    }

    void press(Keys key) {
        press((CharSequence) key);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    Object runAsync(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    String address() {
        return driver.getCurrentUrl();
    }

    /** Sets the width of the window, for example to that of a phone. */
    void width(int pixels) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", 800, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Sets whether the user prefers a dark colour scheme. */
    void dark(boolean isDark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
    }

    /** Disconnects the browser from the network, or reconnects it. */
    void offline(boolean isOffline) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", isOffline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** The accessibility violations found by axe-core that are serious or critical. */
    @SuppressWarnings("unchecked")
    void assertAccessible() {
        run(axe());
        List<String> found = (List<String>) runAsync("""
                const done = arguments[arguments.length - 1];
                axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}).then(result => done(
                  result.violations.filter(each => ['serious', 'critical'].includes(each.impact))
                    .flatMap(each => each.nodes.map(node => each.id + ': ' + each.help + ' ' + node.html + ' ' + node.failureSummary))))
                """);
        assertThat(found).isEmpty();
    }

    private static String axe() {
        try (var script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that no policy was violated and no script failed. Errors of the service are reported separately. */
    void assertNothingWasForbidden() {
        assertThat((List<?>) run("return window.forbidden ?? []")).isEmpty();
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                        .map(LogEntry::getMessage)
                        .filter(message -> !message.contains("Failed to load resource")))
                .isEmpty();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
