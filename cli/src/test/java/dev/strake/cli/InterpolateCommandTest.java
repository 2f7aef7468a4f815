package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code interpolate} at a shell. */
class InterpolateCommandTest {

    private static final String BASE = """
            name: my-cf
            groups:
            - name: api
              instances: 2
              azs: [z1, z2]
            - name: db
              instances: 1
            password: ((secret))
            url: https://((host)):((port))/
            """;

    private static final String OPERATIONS = """
            # Smaller.
            - type: replace
              path: /groups/name=api/instances
              value: 1
            - type: remove
              path: /groups/name=api/azs/1

            - type: test
              path: /name
              value: my-cf
            - {type: replace, path: '/groups/name=new?', value: {name: new, instances: 3}}
            """;

    @TempDir
    Path folder;

    private CapturedTerminal terminal;
    private String base;
    private String operations;

    @BeforeEach
    void writeFiles() throws IOException {
        base = write("base.yml", BASE);
        operations = write("ops.yml", OPERATIONS);
    }

    @Test
    void shouldPrintTheResultWithItsKeysInOrder() {
        run(ExitCode.FINE, base, "-o", operations, "-v", "secret=[1, 2]", "-v", "host=a.b", "--var=port=80");
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out()).isEqualTo("""
                name: my-cf
                groups:
                - name: api
                  instances: 1
                  azs:
                  - z1
                - name: db
                  instances: 1
                - name: new
                  instances: 3
                password:
                - 1
                - 2
                url: https://a.b:80/
                """);
    }

    @Test
    void shouldReadTheStandardInputOnce() {
        run(
                CapturedTerminal.reading(BASE),
                ExitCode.FINE,
                ("- --ops-file " + operations + " --path /groups/name=api/instances").split(" "));
        assertThat(terminal.out()).isEqualTo("1\n");

        run(CapturedTerminal.reading(OPERATIONS), ExitCode.FINE, base, "-o", "-", "--path", "/groups/-1/name");
        assertThat(terminal.out()).isEqualTo("new\n");

        run(CapturedTerminal.reading(OPERATIONS), ExitCode.USAGE, "-", "-o", "-");
        assertThat(terminal.err()).contains("once");
    }

    @Test
    void shouldPreferTheStrongerSourceOfAVariable() throws IOException {
        String weak = write("weak.yml", "secret: weak\nhost: {deep: weak, other: weak}\nport: 1\n");
        String strong = write("strong.yml", "secret: strong\nport: 2\n");
        String file = write("secret.txt", "from\na file\n");
        String vars = write("vars.yml", "[((secret)), ((host.deep)), ((port)), ((host.other))]");

        run(ExitCode.FINE, vars, "-l", weak, "--vars-file", strong, "--var-file", "secret=" + file, "-v", "port=3");
        assertThat(terminal.out()).isEqualTo("- |\n  from\n  a file\n- weak\n- 3\n- weak\n");

        // A stronger source replaces the whole variable. Strake's own syntax for a text file shows it, too.
        run(
                ExitCode.FINE,
                (vars + " -l " + weak + " --vars-file secret=" + file + " -v host.deep=x -v host.other=\"5\"")
                        .split(" "));
        assertThat(terminal.out()).isEqualTo("- |\n  from\n  a file\n- x\n- 1\n- \"5\"\n");
    }

    @Test
    void shouldNameFileLineOperationPathAndComponentOfAFailure() throws IOException {
        String wrong = write("wrong.yml", "- type: remove\n  path: /name\n\n- type: remove\n  path: /groups/0/x/y\n");
        run(ExitCode.DIFFERENT_OR_INVALID, base, "-o", operations, "-o", wrong);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .isEqualTo(wrong + ":4:3: OperationFailed: operation [1] (remove '/groups/0/x/y') fails at 'x': "
                        + "Expected to find a map key 'x' for path '/groups/0/x' (found map keys: 'azs', 'instances', 'name') "
                        + "(add ? to the component if the key may be missing)\n");
    }

    @Test
    void shouldReportMissingAndUnusedVariablesOnRequest() {
        run(
                ExitCode.DIFFERENT_OR_INVALID,
                (base + " -v host=h -v spare=s3cr3t --var-errs --var-errs-unused").split(" "));
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .contains("Expected to find variables: port\nsecret\nExpected to use variables: spare")
                .doesNotContain("s3cr3t");
    }

    @Test
    void shouldShowTheEffectAndThePlaceOfEachOperation() {
        run(ExitCode.DIFFERENT_OR_INVALID, base, "-o", operations, "--diff");
        assertThat(terminal.out()).isEqualTo("""
                @@ %1$s:2:3 replace '/groups/name=api/instances' @@
                  /groups/name=api/instances
                - 2
                + 1
                @@ %1$s:5:3 remove '/groups/name=api/azs/1' @@
                  /groups/name=api/azs/1
                - z2
                @@ %1$s:11:3 replace '/groups/name=new?' @@
                  /groups/name=new
                + name: new
                + instances: 3
                """.formatted(operations));

        run(CapturedTerminal.screen(Map.of()), ExitCode.DIFFERENT_OR_INVALID, base, "-o", operations, "--dry-run");
        assertThat(terminal.out()).contains("\u001B[31m- 2", "\u001B[32m+ 1");
        run(ExitCode.FINE, base, "--diff");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void shouldNamePlacesAsOperationsFilesDo() throws IOException {
        String plain = write("plain.yml", "c/d: 1\nitems: [1, 2, 3]\ngroups: [{name: a:b, n: 1}]\n");
        String changes = write("changes.yml", """
                - {type: replace, path: /c~1d, value: 2}
                - {type: remove, path: /items/1}
                - {type: replace, path: /items/0:before, value: 0}
                - {type: replace, path: /groups/0, value: {name: e, n: 1, m: 2}}
                - {type: replace, path: /groups, value: {}}
                - {type: replace, path: "", value: text}
                """);
        run(ExitCode.DIFFERENT_OR_INVALID, plain, "-o", changes, "--diff");
        assertThat(terminal.out().lines().filter(line -> !line.startsWith("@@")))
                .startsWith("  /c~1d", "- 1", "+ 2", "  /items/1", "- 2", "  /items/0", "+ 0")
                .containsSubsequence("  /groups/name=a~7b/name", "- a:b", "+ e", "  /groups/name=a~7b/m", "+ 2")
                .containsSubsequence("  /groups", "- - name: e", "+ {}", "  ", "+ text");
    }

    @Test
    void shouldAcceptTheGlobalOptionsOfBosh() {
        String[] options =
                ("-n --non-interactive --tty --no-color --sha2 --column name --column=x -e env --environment=env "
                                + "-d dep --deployment dep --client c --client-secret s --ca-cert c --config f --parallel 3 "
                                + "--tty -n --var-errs --var-errs -v secret=s -v host=h -v port=1 --path /groups --path /name")
                        .split(" ", -1);
        List<String> args = new ArrayList<>(List.of(options));
        args.add(base);
        run(ExitCode.FINE, args.toArray(String[]::new));
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out()).isEqualTo("my-cf\n"); // the last of several paths wins

        run(
                CapturedTerminal.screen(Map.of()),
                ExitCode.DIFFERENT_OR_INVALID,
                (base + " -o " + operations + " --diff --no-color").split(" "));
        assertThat(terminal.out()).contains("- 2").doesNotContain("\u001B");
    }

    @Test
    void shouldAcceptTheGlobalOptionsOfBoshBeforeTheCommand() {
        for (String command : List.of("interpolate", "int")) {
            String line =
                    "-n --tty -e env -denv --client=c --parallel 3 --json " + command + " " + base + " --path /name";
            assertThat(StrakeCommand.run(ExitCode.FINE, line.split(" "))).contains("\"Blocks\":[\"my-cf\\n\"]");
        }
        StrakeCommand.run(ExitCode.USAGE, "-n", "validate", base);
        StrakeCommand.run(ExitCode.USAGE, "--client");
        StrakeCommand.run(ExitCode.USAGE, "--nope", "interpolate", base);
    }

    @Test
    void shouldPrintTheJsonOfBosh() {
        run(ExitCode.FINE, base, "--json", "--path", "/groups/0/azs");
        assertThat(terminal.out())
                .isEqualTo("{\"Tables\":null,\"Blocks\":[\"- z1\\n- z2\\n\"],\"Lines\":[\"Succeeded\"]}\n");
        run(ExitCode.DIFFERENT_OR_INVALID, base, "--json", "--path", "/none");
        assertThat(terminal.out())
                .startsWith("{\"Tables\":null,\"Blocks\":null,\"Lines\":[\"--path '/none': Expected to find a map key")
                .endsWith(",\"Exit code 1\"]}\n");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldReportIgnoredFields() throws IOException {
        String odd =
                write("odd.yml", "- type: remove\n  path: /name\n- type: remove\n  path: /url\n  optional: true\n");
        run(ExitCode.FINE, base, "-o", odd, "--path", "/password");
        assertThat(terminal.out()).isEqualTo("((secret))\n");
        assertThat(terminal.err())
                .isEqualTo(odd + ":3:3: operation [1] has an unknown field 'optional', which is ignored\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-v|nothing",
                "-v|=s3cr3t",
                "-v|a=",
                "-v|a=[s3cr3t",
                "--var-file|a",
                "--path|a",
                "--diff|--path|/a",
                "--diff|--json",
                "--no-such"
            })
    void shouldReportWrongUsage(String options) {
        List<String> args = new ArrayList<>(List.of(base));
        args.addAll(List.of(options.split("\\|", -1)));
        run(ExitCode.USAGE, args.toArray(String[]::new));
        assertThat(terminal.err() + terminal.out()).isNotBlank().doesNotContain("s3cr3t");
    }

    private void run(int code, String... args) {
        run(CapturedTerminal.pipe(), code, args);
    }

    private void run(CapturedTerminal at, int code, String... args) {
        terminal = at.run(
                code, Stream.concat(Stream.of("interpolate"), Stream.of(args)).toArray(String[]::new));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }
}
