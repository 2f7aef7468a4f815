package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.settings.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands show a chart with a substituted password completely, except for the password. */
class SecretPlacesIT {

    private static final String MASK = "\\*{6} [0-9a-f]{16}";

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: sw0rdfish
            ---
            schema: example/User/v1
            metadata: {schema: metadata/Document/v1, name: user, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: {login: hunter2}
            ---
            schema: example/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: base
              storagePolicy: encrypted
              labels: {is: base}
              layeringDefinition: {abstract: true, layer: global}
            data: {owner: l0serman}
            ---
            schema: example/Chart/v1
            metadata:
              schema: metadata/Document/v1
              name: web
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {is: base}, actions: [{method: merge, path: .}]}
              substitutions: [{src: {schema: deckhand/Passphrase/v1, name: password, path: .}, dest: {path: '.env[0].value'}}]
            data:
              kind: Deployment
              replicas: 3
              image: example/web:1.0
              owner: everybody
              env: [{name: PASSWORD, value: to be replaced}, {name: MODE, value: fast}]
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: users, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/User/v1, as: map, key: .login, into: {schema: example/Users/v1, name: users}}
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: groups, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: {schema: example/User/v1, path: .login, into: {schema: example/Groups/v1, name: groups}}
            ---
            schema: example/Login/v1
            metadata:
              schema: metadata/Document/v1
              name: login
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: example/User/v1, name: user, path: .}, dest: {path: '.users[0].account'}}]
            data: {users: [{shell: bash}, {shell: sh}]}
            """;

    private static final String BUMPED = SITE.replace("web:1.0", "web:1.1");

    @TempDir
    static Path directory;

    private static final Token READER = Token.create();
    private static final Token PUBLISHER = Token.create();

    @AutoClose
    private static TestStrake server;

    private static String bumped;

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"),
                READER.line("reader", List.of(Grant.parse("reader@*"))) + "\n"
                        + PUBLISHER.line("publisher", List.of(Grant.parse("publisher@*"))) + "\n");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        server = TestStrake.start(
                directory.resolve("data"),
                settings -> settings.with(Catalogue.ACCESS_TOKENS, tokens).with(Catalogue.SECRETS_KEYSET, keyset));
        for (String text : List.of(SITE, BUMPED, SITE)) {
            as(PUBLISHER, ExitCode.FINE, "publish", "-b", "b", write("site.yaml", text));
        }
        bumped = write("bumped.yaml", BUMPED);
    }

    private static String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static String as(Token token, int code, String... arguments) {
        return run(code, with(token, arguments));
    }

    private static String[] with(Token token, String... arguments) {
        return Stream.concat(
                        Stream.of(arguments), Stream.of("-w", "w", "--url", server.url(), "--token", token.secret()))
                .toArray(String[]::new);
    }

    private static String run(int code, String... arguments) {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(code, arguments);
        assertThat(terminal.out() + terminal.err())
                .as(String.join(" ", arguments))
                .doesNotContain("sw0rdfish", "hunter2", "l0serman");
        return terminal.out();
    }

    private static String asked(int code, String... arguments) {
        return as(arguments[0].equals("plan") ? PUBLISHER : READER, code, arguments);
    }

    /* Returns the exit code and everything that the command prints. */
    private static String answer(String... arguments) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        int code = Strake.run(terminal.terminal(), with(READER, arguments));
        return code + " " + terminal.out() + terminal.err();
    }

    @Test
    void shouldShowAChartExceptItsPassword() {
        for (String chart : List.of(
                asked(ExitCode.FINE, "get", "rendered", "web", "-o", "yaml"),
                run(ExitCode.FINE, "render", directory.resolve("site.yaml").toString()))) {
            assertThat(chart).containsPattern("""
                    data:
                      owner: everybody
                      kind: Deployment
                      replicas: 3
                      image: example/web:1.0
                      env:
                      - name: PASSWORD
                        value: "MASK"
                      - name: MODE
                        value: fast
                    """.replace("MASK", MASK));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "json", "yaml", "markdown"})
    void shouldShowANewImageUnmasked(String format) {
        for (String shown : List.of(
                asked(ExitCode.DIFFERENT_OR_INVALID, "plan", "-b", "b", bumped, "-o", format),
                asked(ExitCode.DIFFERENT_OR_INVALID, "diff", "1", "2", "-o", format),
                asked(ExitCode.DIFFERENT_OR_INVALID, "diff", "--files", bumped, "-o", format),
                run(
                        ExitCode.DIFFERENT_OR_INVALID,
                        ("plan --base " + directory.resolve("site.yaml") + " " + bumped + " -o " + format)
                                .split(" ")))) {
            assertThat(shown)
                    .contains("example/web:1.0", "example/web:1.1", ".data.image")
                    .doesNotContain("******", ".data.env", ".data.owner");
        }
    }

    @Test
    void shouldCompareFilesExceptSecrets() throws IOException {
        String other = write("other.yaml", SITE.replace("sw0rdfish", "marl1n"));
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.FINE, with(READER, "diff", "--files", other));
        assertThat(terminal.err()).contains("secrets were not compared");
    }

    /** Without a key, a mask replaces each value that comes from sealed data, also a mapping or a list. */
    @Test
    void shouldTakeFromTheServiceWhatIsSealedInFiles() throws IOException {
        String sealed = SITE.replace("data: sw0rdfish", "data: {$sealed: AAAA}")
                .replace("data: {login: hunter2}", "data: {$sealed: BBBB}")
                .replace("data: {owner: l0serman}", "data: {$sealed: CCCC}")
                .replaceFirst("data: .*example/Groups/v1.*", "data: {\\$sealed: DDDD}");

        assertThat(asked(ExitCode.FINE, "diff", "--files", write("sealed.yaml", sealed)))
                .isEmpty();
        assertThat(asked(
                        ExitCode.DIFFERENT_OR_INVALID,
                        "diff",
                        "--files",
                        write("zsh.yaml", sealed.replace("shell: sh", "shell: zsh"))))
                .contains("- sh", "+ zsh", "1 document")
                .doesNotContain("account", "Users", "******");
        assertThat(asked(
                        ExitCode.DIFFERENT_OR_INVALID,
                        "diff",
                        "--files",
                        write("less.yaml", sealed.replaceFirst("(?s)---\\nschema: example/Login/v1.*", ""))))
                .contains("deleted example/Login/v1/login")
                .doesNotContain("Groups", "Users");
    }

    @Test
    void shouldMaskTheHiddenLosingValueAndNameItsDocument() {
        String explained = asked(ExitCode.FINE, "explain", "example/Chart/v1/web", ".owner", "-o", "json");

        assertThat(explained)
                .contains("\"value\":\"everybody\"", "\"name\":\"base\"")
                .containsPattern("\"value\":\"" + MASK);
    }

    @Test
    void shouldNotQuoteSecretKeys() {
        String users = asked(ExitCode.FINE, "get", "rendered", "example/Users/v1/users", "-o", "json");
        assertThat(users).containsPattern("\"data\":\"" + MASK);
        // Right and wrong guesses at a key get the same response: the map, without a quote of the guess.
        List<String> answers = Stream.of("hunter2.login", "hunter3.login")
                .map(guess -> answer("explain", "example/Users/v1/users", "." + guess, "-o", "json"))
                .toList();
        assertThat(answers.get(0))
                .isEqualTo(answers.get(1))
                .contains("\"path\":\".\"")
                .doesNotContain("hunter");
        assertThat(asked(ExitCode.FINE, "affected", "example/User/v1/user", "-o", "json"))
                .contains("users");
    }

    /** As the header of its record says, a collection's document is derived from the collection. */
    @Test
    void shouldNameTheCollectionThatReadsAnAffectingDocument() {
        assertThat(asked(ExitCode.FINE, "affected", "example/User/v1/user"))
                .containsPattern(
                        "example/Users/v1/users +site +is derived from strake/Collection/v1/users, which reads "
                                + "example/User/v1/user");
        assertThat(asked(ExitCode.FINE, "affected", "strake/Collection/v1/users"))
                .contains("is derived from strake/Collection/v1/users")
                .doesNotContain("which reads");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$..env[?(@.value == 'GUESS')].name",
                "$..env[?(@.value contains 'GUESS')].name",
                "$..env[?(@.value >= 'GUESS')].name",
                "$..env[?(@.value < 'GUESS')].name",
                "$..env[?(@.value.length() == LENGTH)].name",
                "$..env[?(@.value == $.data.login)].name",
                "$..env[0].value[0:LENGTH]",
                "$.data.hunter2",
                "$..[?(@.login == 'hunter2')].login",
                "$[?(@ == 'GUESS')]",
            })
    void shouldNotConfirmGuesses(String query) {
        List<String> answers = List.of("sw0rdfish", "sw0rd.*", "m", "zzz").stream()
                .map(guess -> query.replace("GUESS", guess).replace("LENGTH", Integer.toString(guess.length())))
                .map(guess -> answer("get", "rendered", "--query", guess, "-o", "json"))
                .distinct()
                .toList();
        // Queries see a mask instead of the password. The mask begins with an asterisk for every password.
        assertThat(answers).hasSize(1).allMatch(answer -> answer.startsWith("0 "));
    }
}
