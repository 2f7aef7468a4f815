package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.apply.RenderRules;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sites of a real telecom cloud, each published as one bucket. */
class TreasuremapTest {

    private static final Path CORPUS = Path.of(System.getProperty("strake.corpus", "../../shared/corpus"));

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldRenderAirsloopExactlyAsDeckhandDoes() throws IOException {
        Outcome outcome = strake.putBucket(WORKSPACE, "airsloop", documents(packed("airsloop-documents")));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.documents().total()).isEqualTo(427);
        assertThat(outcome.work().emitted()).isEqualTo(381);
        assertThat(strake.renderedTrees(WORKSPACE))
                .containsExactlyInAnyOrderElementsOf(
                        packed("airsloop-rendered").stream().map(Json::map).toList());
    }

    /* The limits are far above honest documents. The schema of all software versions takes the most: a 300th. */
    @Test
    void shouldRenderAirsloopWithATwoHundredthOfTheAllowedWork() throws IOException {
        RenderLimits allowed = RenderLimits.DEFAULT;
        RenderLimits tight = new RenderLimits(
                allowed.bytes(),
                allowed.depth(),
                allowed.padding(),
                allowed.effort() / 200,
                allowed.changeEffort() / 100);
        TopologySettings settings = TopologySettings.of(1);
        try (TopologyHarness limited = new TopologyHarness(new TopologySettings(
                settings.topics(),
                settings.intake(),
                new RenderRules(false, tight),
                settings.cacheBytes(),
                settings.retention(),
                settings.secrets()))) {
            Outcome outcome = limited.putBucket(WORKSPACE, "airsloop", documents(packed("airsloop-documents")));
            assertThat(outcome.problems()).isEmpty();
            assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "seaworthy, 404, 91513b46d6ca8f8983b68f694ae2bc79bf1c7c8489237a791fcf0ffb1d3a1729",
        "seaworthy-virt, 380, 998708a10ad40f54da3c0601486d4cd542340ecff2d30302cdd809cba85c32d3",
        "airskiff, 343, cb0ffc944b120c30606b4a1b291cfc957c02ecbadceeb4d7c279d128082ba035",
        "aiab, 332, 1357f2bca88c5fd60a3a5888d1afff198c7021159becedce30edbb10ef817224"
    })
    void shouldRenderTheOtherSitesDeterministically(String site, int rendered, String hash) throws IOException {
        Path file = CORPUS.resolve("treasuremap").resolve(site).resolve("documents.jsonl");
        assumeTrue(Files.exists(file), "no " + site + " without the corpus: -Dstrake.corpus=DIR says where it is");
        Outcome outcome = strake.putBucket(WORKSPACE, site, documents(Files.readAllLines(file)));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.problems()).isEmpty();
        assertThat(outcome.published().records()).isEqualTo(rendered);
        assertThat(strake.rendered()).hasSize(rendered);
        assertThat(outcome.published().contentHash()).isEqualTo(hash);
    }

    private static List<MapValue> documents(List<String> lines) {
        return lines.stream()
                .map(line -> (MapValue) Json.map(line).get("document"))
                .toList();
    }

    private static List<String> packed(String name) throws IOException {
        try (InputStream in = TreasuremapTest.class.getResourceAsStream("/treasuremap/" + name + ".jsonl.gz");
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }
}
