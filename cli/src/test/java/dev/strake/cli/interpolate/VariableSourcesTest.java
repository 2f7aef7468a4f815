package dev.strake.cli.interpolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.cli.files.PlainYaml;
import dev.strake.engine.tree.JsonBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableSourcesTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x=[1,2]    | {'x':[1,2]}",
                "x=\"5\"    | {'x':'5'}",
                "x='a b'    | {'x':'a b'}",
                "x=yes      | {'x':true}",
                "x=1:30     | {'x':'1:30'}",
                "x=a=b      | {'x':'a=b'}",
                "x=~        | {'x':null}",
                "a.b.c=1    | {'a':{'b':{'c':1}}}",
                "x=' a      | cannot be read",
            })
    void shouldReadAValueAsYamlAndATextLiterally(String given, String expected) throws Exception {
        if (expected.startsWith("{")) {
            assertThat(values(sources(given))).isEqualTo(expected);
        } else {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> values(sources(given)))
                    .withMessageContaining(expected);
        }
    }

    @Test
    void shouldKeepAllLinesOfATextFromTheCommandLine() throws Exception {
        assertThat(values(sources("key=-----BEGIN-----\nabc\n-----END-----\n")))
                .isEqualTo("{'key':'-----BEGIN-----\\nabc\\n-----END-----\\n'}");
    }

    @Test
    void shouldPreferEveryOtherSourceToTheEnvironment() throws Exception {
        Path file = Files.writeString(folder.resolve("vars.yml"), "b: file\n");
        VariableSources sources =
                new VariableSources(List.of("c=single"), List.of(), List.of(file.toString()), List.of("X", "Y"));
        Map<String, String> environment = Map.of("X_a", "[1]", "X_b", "env", "Y_c", "env", "X_", "no", "XY_d", "no");
        assertThat(sources.read(yaml(), environment).values().keys()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(json(sources, environment)).contains("'a':[1]", "'b':'file'", "'c':'single'");
    }

    @Test
    void shouldMergeDottedNamesOfSeveralSources() throws Exception {
        String first = Files.writeString(folder.resolve("1.yml"), "p.q.r: 1\n").toString();
        String second = Files.writeString(folder.resolve("2.yml"), "p.q.s: 2\n").toString();
        String text = Files.writeString(folder.resolve("text"), "3").toString();
        assertThat(json(
                        new VariableSources(
                                List.of("p.v=4", "p.q.r=5"),
                                List.of("p.q.t=" + text),
                                List.of(first, second),
                                List.of("X")),
                        Map.of("X_p.e", "6", "X_p.q.s", "7")))
                .isEqualTo("{'p':{'e':6,'q':{'s':2,'r':5,'t':'3'},'v':4}}");
    }

    @Test
    void shouldReplaceAVariableByTheMappingOfAStrongerSource() throws Exception {
        String first = Files.writeString(folder.resolve("1.yml"), "p.q.s: 2\n").toString();
        String second =
                Files.writeString(folder.resolve("2.yml"), "p: {q: {r: 1}}\n").toString();
        assertThat(json(new VariableSources(List.of(), List.of(), List.of(first, second), List.of()), Map.of()))
                .isEqualTo("{'p':{'q':{'r':1}}}");
    }

    @Test
    void shouldRefuseFilesWithoutVariables() throws IOException {
        Path list = Files.writeString(folder.resolve("list.yml"), "# a list\n- s3cr3t\n");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> new VariableSources(List.of(), List.of(), List.of(list.toString()), List.of())
                        .read(yaml(), Map.of()))
                .withMessage(list + ":2:1: InterpolationFailed: Expected to find a map of variables but found list");

        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff});
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> new VariableSources(List.of(), List.of("x=" + binary), List.of(), List.of())
                        .read(yaml(), Map.of()))
                .withMessageContaining("not valid UTF-8");
    }

    @Test
    void shouldNotShowValuesInToString() {
        assertThat(sources("x=s3cr3t").toString()).doesNotContain("s3cr3t");
    }

    private static VariableSources sources(String value) {
        return new VariableSources(List.of(value), List.of(), List.of(), List.of());
    }

    private static String values(VariableSources sources) throws IOException, InvalidInputException {
        return json(sources, Map.of());
    }

    private static String json(VariableSources sources, Map<String, String> environment)
            throws IOException, InvalidInputException {
        byte[] json = JsonBytes.of(sources.read(yaml(), environment).values());
        return new String(json, StandardCharsets.UTF_8).replace('"', '\'');
    }

    private static PlainYaml yaml() {
        return new PlainYaml(InputStream.nullInputStream());
    }
}
