package dev.strake.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of {@code docs/configuration.md} is generated from the catalogue. After a change, regenerate it:
 * {@code mvn test -pl server -am -Dtest=ConfigurationPageTest -Dstrake.write-docs=true -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class ConfigurationPageTest {

    private static final Path PAGE = Path.of("../docs/configuration.md");
    private static final String BEGIN = "<!-- made from the catalogue of settings: begin -->\n";
    private static final String END = "<!-- made from the catalogue of settings: end -->\n";

    private static final String HEAD = """
            | setting | default | allowed values | effect |
            | --- | --- | --- | --- |
            """;

    @Test
    void shouldListEverySettingOfTheProgram() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean("strake.write-docs")) {
            Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(table());
        }
    }

    private static String table() {
        return Catalogue.ALL.stream()
                .map(setting -> "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                setting.name(),
                                setting.defaultValue().isEmpty() ? "" : "`" + setting.defaultValue() + "`",
                                setting.kind().range().replace("a whole number from ", ""),
                                (setting.effect() + " " + setting.note()).trim()))
                .collect(Collectors.joining("", HEAD, ""));
    }
}
