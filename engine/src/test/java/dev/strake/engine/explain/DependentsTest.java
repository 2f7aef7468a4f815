package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one place of the data of {@code top} reaches: all that could come out different, and not what cannot. */
class DependentsTest {

    private static final DocumentId TOP = new DocumentId("t/A/v1", "global", "top");
    private static final Place A = Place.ROOT.at("a");

    private final TestWorkspace workspace = new TestWorkspace();

    private List<String> reached(Place place, MapValue... documents) {
        workspace.put(
                "policy",
                Json.map(
                        "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                                + "'data':{'layerOrder':['global','site']}}"));
        workspace.put("b", documents);
        return new Dependents(
                        workspace.head().graph(), workspace, TOP, place, Integer.MAX_VALUE, new ChangeEffort(1_000_000))
                .found().stream().map(each -> each.document().name()).toList();
    }

    private static MapValue top(String data) {
        return document("top", "'labels':{'is':'top'},", "'layer':'global'", data);
    }

    private static MapValue child(String action, String path, String data) {
        String layering = "'layer':'site','parentSelector':{'is':'top'},'actions':[{'method':'" + action + "','path':'"
                + path + "'}]";
        return document("child", "", layering, data);
    }

    /* Of each pair, the path in the source and the one in the document. */
    private static MapValue from(String source, String name, String... paths) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < paths.length; i += 2) {
            items.append(i == 0 ? "" : ",")
                    .append("{'src':{'schema':'t/A/v1','name':'" + source + "','path':'" + paths[i]
                            + "'},'dest':{'path':'" + paths[i + 1] + "'}}");
        }
        return document(name, "'substitutions':[" + items + "],", "'layer':'site'", "{}");
    }

    private static MapValue document(String name, String metadata, String layering, String data) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name + "',"
                + metadata + "'storagePolicy':'cleartext','layeringDefinition':{" + layering + "}},'data':" + data
                + "}");
    }

    @Test
    void shouldNotReachAChildThatMergesAValueOfItsOwn() {
        assertThat(reached(A, top("{'a':1}"), child("merge", ".", "{'a':2}"))).isEmpty();
    }

    @Test
    void shouldReachAChildThatMergesAMappingIntoTheParents() {
        assertThat(reached(A, top("{'a':{'x':1}}"), child("merge", ".", "{'a':{'y':2}}")))
                .containsExactly("child");
    }

    @Test
    void shouldNotReachAChildThatReplacesThePlace() {
        assertThat(reached(A, top("{'a':1}"), child("replace", ".", "{'a':2}"))).isEmpty();
    }

    @Test
    void shouldReachAChildThatReplacesAllWhenAnythingIsMeant() {
        assertThat(reached(Place.ROOT, top("{'a':1}"), child("replace", ".", "{'a':2}")))
                .containsExactly("child");
    }

    @Test
    void shouldReachAChildThatReplacesAtDollarWhichReplacesNoMapping() {
        assertThat(reached(A, top("{'a':1}"), child("replace", "$", "{'a':2}"))).containsExactly("child");
    }

    @Test
    void shouldReachAChildThatDeletesThePlaceWhichHasToBeThere() {
        assertThat(reached(A, top("{'a':{'x':1}}"), child("delete", ".a", "{}")))
                .containsExactly("child");
        assertThat(reached(A.at("x"), top("{'a':{'x':1}}"), child("delete", ".a", "{}")))
                .isEmpty();
    }

    @Test
    void shouldReachWhatSubstitutesFromAboveAndBelowThePlace() {
        MapValue top = top("{'a':{'x':{'y':1}},'b':2}");

        assertThat(reached(
                        A.at("x"),
                        top,
                        from("top", "above", ".a", ".v"),
                        from("top", "below", ".a.x.y", ".v"),
                        from("top", "beside", ".b", ".v")))
                .containsExactlyInAnyOrder("above", "below");
    }

    @Test
    void shouldReachWhatSubstitutesFromAPlaceThatIsFoundBySearching() {
        assertThat(reached(A, top("{'a':{'x':1}}"), from("top", "searching", "$..x", ".v")))
                .containsExactly("searching");
    }

    @Test
    void shouldFollowAPlaceToWhereASubstitutionPutsIt() {
        assertThat(reached(
                        A.at("x"),
                        top("{'a':{'x':1,'z':2}}"),
                        from("top", "next", ".a", ".copy.deep"),
                        from("next", "user", ".copy.deep.x", ".v"),
                        from("next", "other", ".copy.deep.z", ".v")))
                .containsExactly("next", "user");
    }

    @Test
    void shouldFollowTheWholeOfWhatWasFollowedInPart() {
        assertThat(reached(
                        A,
                        top("{'a':{'x':1,'z':2}}"),
                        from("top", "next", ".a.x", ".copy.x", ".a", ".copy"),
                        from("next", "user", ".copy.z", ".v")))
                .containsExactly("next", "user");
    }
}
