package dev.strake.remote.fetch.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.remote.fetch.source.HttpSource;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class FetchPolicyTest {

    public static FetchPolicy allowing(Path folder) {
        return new FetchPolicy(List.of(), List.of(), List.of(folder), 1, Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "0.0.0.0",
                "100.64.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "192.0.0.8",
                "::1",
                "::",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fdff::1",
                "ff02::1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "2002:7f00:1::",
                "2002:c0a8:101::1",
                "2001:0:1::1",
                "2001:db8::1"
            })
    void shouldRecognizePrivateAddresses(String address) throws Exception {
        assertThat(Network.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "172.15.0.1",
                "172.32.0.1",
                "192.169.0.1",
                "100.128.0.1",
                "2606:4700::1",
                "64:ff9b::808:808"
            })
    void shouldRecognizePublicAddresses(String address) throws Exception {
        assertThat(Network.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/",
                "http://localhost:1/",
                "http://[::1]:1/",
                "http://[::ffff:127.0.0.1]:1/",
                "http://0x7f000001:1/",
                "http://2130706433:1/",
                "http://127.1:1/"
            })
    void shouldRefusePrivateAddressesInEveryNotation(String url) {
        try (HttpSource http = new HttpSource(FetchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> http.get(Address.of(url), Map.of(), 0))
                    .isInstanceOfSatisfying(
                            FetchException.class,
                            e -> assertThat(e.code())
                                    .isIn(
                                            FetchException.Code.REFUSED,
                                            FetchException.Code.UNREACHABLE,
                                            FetchException.Code.INVALID_RESOURCE))
                    .hasMessageMatching(".*(private address|not known|no host).*");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://[fe80::1%25none]/",
                "http://[::1%25]/",
                "http://a..b/",
                "http://a./",
                "http://xn--a/",
                "http://1.2.3.4.5/",
                "http://999.1.1.1/",
                "HTTP://127.0.0.1:1",
                "http://127.0.0.1:1?a=b#c"
            })
    void shouldReportAnUnusableAddress(String url) {
        try (HttpSource http = new HttpSource(FetchPolicy.DEFAULT)) {
            assertThatThrownBy(() -> http.get(Address.of(url), Map.of(), 0)).isInstanceOf(FetchException.class);
        }
    }

    @Test
    void shouldConnectOnlyToTheCheckedAddress() throws Exception {
        // A name that resolves differently each time: the connection has to use the address that was checked.
        FetchPolicy policy = FetchPolicy.DEFAULT;
        assertThat(HttpSource.resolver(policy).resolve("8.8.8.8")).containsExactly(InetAddress.getByName("8.8.8.8"));
        assertThatThrownBy(() -> HttpSource.resolver(policy).resolve("localhost"))
                .hasMessageContaining("private address");
    }

    @Test
    void shouldConnectToAllowedHostsOnly() throws Exception {
        FetchPolicy policy = new FetchPolicy(
                List.of("example.org", "*.Example.com", "other.org:8443"),
                List.of(),
                List.of(),
                1,
                Duration.ofSeconds(1));
        for (String fine : new String[] {
            "https://example.org/", "http://a.example.com/", "https://a.b.example.com/", "https://other.org:8443/"
        }) {
            policy.check(Address.of(fine));
        }
        for (String refused : new String[] {
            "https://example.com/", "https://evilexample.com/", "https://other.org/", "https://example.org.evil.net/"
        }) {
            assertThatThrownBy(() -> policy.check(Address.of(refused))).hasMessageContaining("not among the hosts");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:planted@example.org/",
                "https://planted@example.org/",
                "https:///planted",
                "planted"
            })
    void shouldRefuseAddressesWithCredentialsAndNotQuoteThem(String url) {
        assertThatThrownBy(() -> Address.of(url))
                .isInstanceOf(FetchException.class)
                .message()
                .doesNotContain("planted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "10.0.0.0/33", "10.0.0.0/-1", "a/8", "", "::/129"})
    void shouldRefuseAnInvalidNetwork(String text) {
        assertThatThrownBy(() -> Network.of(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
