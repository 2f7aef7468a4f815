package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import org.junit.jupiter.api.Test;

/** Stores of the layout before this one. */
class EarlierLayoutTest {

    private static final String WS = TopologyHarness.WORKSPACE;

    private static final String POLICY = "{'schema':'deckhand/LayeringPolicy/v1','metadata':"
            + "{'schema':'metadata/Control/v1','name':'policy'},'data':{'layerOrder':['global','region','site']}}";

    private static String document(String layer, String parent, String data) {
        String merging = parent.isEmpty()
                ? ""
                : ",'parentSelector':{'is':'" + parent + "'},'actions':[{'method':'merge','path':'.'}]";
        return "{'schema':'a/B/v1','metadata':{'schema':'metadata/Document/v1','name':'of-" + layer
                + "','storagePolicy':'cleartext','labels':{'is':'" + layer + "'},'layeringDefinition':{'layer':'"
                + layer + "'" + merging
                + "}},'data':" + data + "}";
    }

    private int ids;

    private void put(TopologyHarness strake, String bucket, String document) {
        Outcome outcome = strake.send(WS, "[" + document + "]", "bucket", bucket, "ce_id", "change-" + ids++);
        assertThat(outcome.status()).as(outcome.toString()).isEqualTo(OutcomeStatus.RENDERED);
    }

    /* The hash of sorted keys that a store has of the data before is also the hash of the data after, as written. */
    @Test
    void shouldRenderAgainWhatOnlyGetsItsKeysSorted() {
        try (TopologyHarness live = new TopologyHarness()) {
            put(live, "policy", POLICY);
            put(live, "global", document("global", "", "{'b':1}"));
            put(live, "region", document("region", "global", "{'a':2,'c':3}"));
            put(live, "site", document("site", "region", "{'d':4}"));

            try (TopologyHarness upgraded = live.restoredFrom(EarlierLayout.of(live))) {
                for (TopologyHarness strake : new TopologyHarness[] {live, upgraded}) {
                    put(strake, "global", document("global", "", "{'a':0,'b':1}"));
                    assertThat(strake.lastRendered())
                            .as("the order of keys is no news")
                            .hasSize(1);
                    put(strake, "site", document("site", "region", "{'d':5}"));
                    assertThat(TopologyHarness.text(strake.lastRendered().get(0).value()))
                            .contains("'data':{'a':2,'b':1,'c':3,'d':5}".replace('\'', '"'));
                }
                assertThat(upgraded.queries().rendered(WS, 6))
                        .isEqualTo(live.queries().rendered(WS, 6));
            }
        }
    }
}
