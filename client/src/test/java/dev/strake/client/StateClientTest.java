package dev.strake.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.strake.client.StateClient.TooLargeException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateClientTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(strings = {"secret\n", "two words", "", "gehe\u00efm"})
    void shouldRefuseATokenThatHttpCannotSendWithoutShowingIt(String token) {
        URI address = URI.create("http://strake:8080");
        assertThatThrownBy(() -> new StateClient(address, MINUTE, Optional.of(token)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the token is not one word of printable ASCII; remove the line break if it comes from a file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"strake", "strake:8080", "ftp://strake:8080", "http:/strake", "//strake:8080"})
    void shouldRefuseWhatIsNoAddressBeforeItIsUsed(String address) {
        assertThatThrownBy(() -> new StateClient(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + address + "' is not an address of Strake, which is http://HOST:PORT");
    }

    /* A publisher must not be told to send a dry run. */
    @Test
    void shouldSayWhatTheServiceSaysOfAChangeThatIsTooLarge() throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] refusal = "{'code': 'TooLarge', 'message': 'The body has too many bytes.'}"
                .replace('\'', '"')
                .getBytes(UTF_8);
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(413, refusal.length);
            exchange.getResponseBody().write(refusal);
            exchange.close();
        });
        service.start();
        try {
            StateClient client = new StateClient(
                    URI.create("http://127.0.0.1:" + service.getAddress().getPort()));
            assertThatThrownBy(() -> client.publish(NewChange.workspaceDelete("site-a", "id"), MINUTE))
                    .isInstanceOf(TooLargeException.class)
                    .hasMessage("The body has too many bytes.");
        } finally {
            service.stop(0);
        }
    }

    @Test
    void shouldSayThatAnAnswerWasBrokenOffAndNotThatNobodyAnswers() throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("{\"items\": [".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            exchange.close();
        });
        service.start();
        try {
            StateClient client = new StateClient(
                    URI.create("http://127.0.0.1:" + service.getAddress().getPort()));
            assertThatThrownBy(() -> client.list("site-a", "documents", List.of()))
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageContaining("broke off its answer");
        } finally {
            service.stop(0);
        }
    }
}
