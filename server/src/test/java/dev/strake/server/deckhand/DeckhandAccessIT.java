package dev.strake.server.deckhand;

import static dev.strake.server.Installation.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.Text;
import dev.strake.server.Installation;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Permission;
import dev.strake.server.access.TestKeystone;
import dev.strake.server.access.Token;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route of Deckhand's API at both addresses, requested with tokens of the file and of Keystone. */
class DeckhandAccessIT {

    private static final List<String> ROLES = List.of("reader", "secrets-reader", "publisher", "admin");

    /** Status by role. The column none is for requests without a token, other for a role in another workspace. */
    private static final String TABLE = """
            route                                                              | none other reader secrets-reader publisher admin
            GET /versions                                                      | 200  200  200    200            200       200
            GET /api/v1.0/health                                               | 204  204  204    204            204       204
            GET /api/v1.0/revisions                                            | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}                                 | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/documents                       | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/rendered-documents              | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/diff/{other}                    | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/deepdiff/{other}                | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/tags                            | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/tags/{tag}                      | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/validations                     | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/validations/detail              | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/validations/{name}              | 401  403  200    200            200       200
            GET /api/v1.0/revisions/{revision}/validations/{name}/entries/{id} | 401  403  200    200            200       200
            POST /api/v1.0/revisions/{revision}/tags/{tag}                     | 401  403  403    403            201       201
            POST /api/v1.0/revisions/{revision}/validations/{name}             | 401  403  403    403            201       201
            PUT /api/v1.0/buckets/{bucket}/documents                           | 401  403  403    403            200       200
            POST /api/v1.0/rollback/{revision}                                 | 401  403  403    403            201       201
            DELETE /api/v1.0/revisions/{revision}/tags/{tag}                   | 401  403  403    403            204       204
            DELETE /api/v1.0/revisions/{revision}/tags                         | 401  403  403    403            204       204
            DELETE /api/v1.0/revisions                                         | 401  403  403    403            403       204
            """;

    private static final String RESULT = "{status: success, validator: {name: robot}}";

    @TempDir
    static Path directory;

    /** Tokens by grant. */
    private static final Map<String, Token> TOKENS = new LinkedHashMap<>();

    private static Installation strake;
    private static TestKeystone keystone;

    /** A row of the table. */
    private record Row(String method, String path, List<Integer> statuses) {

        static Row of(String line) {
            String[] words = line.replace("|", " ").strip().split(" +");
            return new Row(
                    words[0],
                    words[1],
                    Stream.of(words).skip(2).map(Integer::valueOf).toList());
        }

        static List<Row> all() {
            return TABLE.lines().skip(1).map(Row::of).toList();
        }

        int none() {
            return statuses.get(0);
        }

        int other() {
            return statuses.get(1);
        }

        int of(int role) {
            return statuses.get(2 + role);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        StringBuilder tokens = new StringBuilder();
        StringBuilder roles = new StringBuilder();
        for (String role : ROLES) {
            for (String workspace : List.of("site-*", "other")) {
                String grant = role + "@" + workspace;
                TOKENS.put(grant, Token.create());
                tokens.append(TOKENS.get(grant).line(role, List.of(Grant.parse(grant))))
                        .append('\n');
            }
            roles.append(role + "@Default/site " + role + "@site-*\n");
        }
        keystone = TestKeystone.start(Clock.systemUTC());
        strake = new Installation("deckhand-access", directory.resolve("data"), 1)
                .with(Catalogue.DECKHAND_WORKSPACE, "site-a")
                .with(Catalogue.ACCESS_TOKENS, written("tokens", tokens.toString()))
                .with(Catalogue.KEYSTONE_URL, keystone.url())
                .with(
                        Catalogue.KEYSTONE_CREDENTIALS,
                        written("credentials", TestKeystone.byPassword(TestKeystone.PASSWORD)))
                .with(Catalogue.KEYSTONE_ROLES, written("roles", roles.toString()));
        strake.startServer();
    }

    @AfterAll
    static void stop() {
        strake.close();
        keystone.close();
    }

    private static Path written(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void shouldCoverEveryRoute() {
        assertThat(Row.all().stream().map(row -> row.method() + " /deckhand/{workspace}" + row.path()))
                .containsExactlyInAnyOrderElementsOf(Permission.ALL.stream()
                        .filter(each -> each.pattern().startsWith("/deckhand/"))
                        .map(each -> each.method() + " " + each.pattern())
                        .toList());
    }

    @Test
    void shouldAnswerEveryRouteOnlyWithPermission() throws Exception {
        prepare();
        for (Row row : Row.all()) {
            for (int i = 0; i < ROLES.size(); i++) {
                String role = ROLES.get(i);
                String bearer = "Bearer " + secret(role + "@site-*");
                assertAnswered(row, "/deckhand/site-a", row.of(i), role, "Authorization", bearer);
                assertAnswered(row, "", row.of(i), role, "X-Auth-Token", secret(role + "@site-*"));
                for (String root : List.of("/deckhand/site-a", "")) {
                    assertAnswered(row, root, row.other(), role, "X-Auth-Token", secret(role + "@other"));
                }
            }
            for (String root : List.of("/deckhand/site-a", "")) {
                String unknown = Token.create().secret();
                assertAnswered(row, root, row.none(), "", "Accept", "application/x-yaml");
                assertAnswered(row, root, row.none(), "", "X-Auth-Token", unknown);
            }
        }
    }

    @Test
    void shouldAnswerEveryRouteToUsersOfKeystone() throws Exception {
        prepare();
        for (Row row : Row.all()) {
            for (int i = 0; i < ROLES.size(); i++) {
                String role = ROLES.get(i);
                String name = "keystone:Default/" + role;
                String here = keystone.token(role, "site", role);
                String elsewhere = keystone.token(role, "elsewhere", role);
                assertAnswered(row, "/deckhand/site-a", row.of(i), name, "X-Auth-Token", here);
                assertAnswered(row, "/deckhand/site-a", row.other(), name, "X-Auth-Token", elsewhere);
            }
            assertAnswered(row, "/deckhand/site-a", row.none(), "", "X-Auth-Token", "gAAAAABunknownToKeystone");
        }
    }

    private static String secret(String grant) {
        return TOKENS.get(grant).secret();
    }

    private static void assertAnswered(Row row, String root, int status, String name, String header, String value)
            throws Exception {
        if (row.method().equals("DELETE") && status < 400) {
            prepare();
        }
        String path = row.path()
                .replace("{revision}", "1")
                .replace("{tag}", "t")
                .replace("{bucket}", "b")
                .replace("{other}", "0")
                .replace("{name}", "deckhand-schema-validation")
                .replace("{id}", "0");
        boolean isResult = row.method().equals("POST") && row.path().endsWith("{name}");
        String body = isResult ? RESULT : row.method().equals("PUT") ? POLICY : "";
        Answer answer = Answer.of(strake, null, row.method(), root + path, body, header, value);
        String asked = row.method() + " " + root + path + " by " + name + " in " + header;
        assertThat(answer.status()).as(asked).isEqualTo(status);
        boolean isOpen = row.none() < 400;
        if (!isOpen && status < 400) {
            assertThat(answer.header("X-User-Name")).as(asked).isEqualTo(name);
        } else if (status >= 400) {
            assertThat(answer.get("code"))
                    .as(asked)
                    .isEqualTo(new Text(status == 401 ? "401 Unauthorized" : "403 Forbidden"));
            assertThat(answer.text()).doesNotContain(value);
            assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer realm=\"strake\"");
        }
    }

    /* Publishes revision 1 and tags it t. */
    private static void prepare() throws Exception {
        String admin = secret("admin@site-*");
        Answer.of(strake, null, "PUT", "/api/v1.0/buckets/b/documents", POLICY, "X-Auth-Token", admin);
        Answer tagged = Answer.of(strake, null, "POST", "/api/v1.0/revisions/1/tags/t", "", "X-Auth-Token", admin);
        assertThat(tagged.status()).isEqualTo(201);
    }
}
