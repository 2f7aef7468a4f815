package dev.strake.remote.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileFormTest {

    private final FileForm form = Workspace.form(FileContents.DOCUMENT, true);

    @ParameterizedTest
    @CsvSource({
        "db, db.json",
        "Deployment.apps/shop/web, Deployment.apps~shop~web.json",
        "a~b, a%7Eb.json",
        "../../etc/passwd, %2E.~..~etc~passwd.json",
        ".git, %2Egit.json",
        "-rf, %2Drf.json",
        "100%, 100%25.json",
        "süd, s%C3%BCd.json",
        "a b|c:d, a%20b%7Cc%3Ad.json",
        "a=b, a%3Db.json",
    })
    void shouldEscapeFileNames(String name, String file) {
        assertThat(path(name)).isEqualTo("example/Thing/v1/" + file);
    }

    @Test
    void shouldGiveEveryDocumentItsOwnFile() {
        Random random = new Random(26);
        List<String> pieces = List.of("a", "/", "~", "%", "%2F", ".", "..", "=", " ", "ä", "\n", "-");
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int left = 1 + random.nextInt(6); left > 0; left--) {
                name.append(pieces.get(random.nextInt(pieces.size())));
            }
            names.add(name.toString());
            paths.add(path(name.toString()));
        }
        assertThat(paths).hasSameSizeAs(names);
        assertThat(paths).allMatch(path -> path.matches("example/Thing/v1/[A-Za-z0-9%~_][A-Za-z0-9%~_.-]*"));
    }

    @Test
    void shouldShortenLongNamesAndKeepThemUnique() {
        String one = path("x".repeat(3_000) + "1");
        String other = path("x".repeat(3_000) + "2");
        assertThat(one).isNotEqualTo(other);
        assertThat(one.substring(one.lastIndexOf('/') + 1)).hasSizeLessThan(220);
    }

    private String path(String name) {
        return form.path(new DocumentKey("example/Thing/v1", name));
    }
}
