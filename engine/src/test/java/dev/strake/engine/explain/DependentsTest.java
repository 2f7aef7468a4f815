package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependents of a place in the data of {@code top}: all documents that could differ, and no others. */
class DependentsTest {

    private static final DocumentId TOP = new DocumentId("t/A/v1", "global", "top");
    private static final Place A = Place.ROOT.at("a");

    private final TestWorkspace workspace = new TestWorkspace();

    private List<String> reached(Place place, MapValue... documents) {
        return dependents(TOP, place, Integer.MAX_VALUE, documents).found().stream()
                .map(each -> each.document().name())
                .toList();
    }

    private Dependents dependents(DocumentId of, Place place, int most, MapValue... documents) {
        workspace.put("policy", TestDocument.layers("global", "site"));
        workspace.put("b", documents);
        return Dependents.of(workspace.head().graph(), workspace, of, place, most, new ChangeEffort(10_000_000));
    }

    private static TestDocument document(String name) {
        return TestDocument.document("t/A/v1", name);
    }

    private static MapValue top(String data) {
        return document("top").in("global").labels("{'is':'top'}").data(data);
    }

    private static MapValue child(String action, String path, String data) {
        return document("child")
                .over("{'is':'top'}", "[{'method':'%s','path':'%s'}]".formatted(action, path))
                .data(data);
    }

    /* Takes pairs of paths: in the source and in the document. */
    private static MapValue from(String source, String name, String... paths) {
        TestDocument document = document(name);
        for (int i = 0; i < paths.length; i += 2) {
            document.taking("t/A/v1", source, paths[i], paths[i + 1]);
        }
        return document.data("{}");
    }

    @Test
    void shouldNotReachAChildThatOverridesTheValue() {
        assertThat(reached(A, top("{'a':1}"), child("merge", ".", "{'a':2}"))).isEmpty();
    }

    @Test
    void shouldNotReachAChildThatReplacesThePlace() {
        assertThat(reached(A, top("{'a':1}"), child("replace", ".", "{'a':2}"))).isEmpty();
    }

    @Test
    void shouldReachAChildThatReplacesAtDollar() {
        assertThat(reached(A, top("{'a':1}"), child("replace", "$", "{'a':2}"))).containsExactly("child");
    }

    @Test
    void shouldReachAChildThatDeletesThePlace() {
        assertThat(reached(A, top("{'a':{'x':1}}"), child("delete", ".a", "{}")))
                .containsExactly("child");
        assertThat(reached(A.at("x"), top("{'a':{'x':1}}"), child("delete", ".a", "{}")))
                .isEmpty();
    }

    @Test
    void shouldReachSubstitutionsFromAboveAndBelowThePlace() {
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
    void shouldReachTheTargetOfOperationsFromFieldsThatControlThem() {
        MapValue target = document("target").data("{'v':1}");
        MapValue operations = TestDocument.document("strake/Operations/v1", "ops")
                .data("{'target':{'schema':'t/A/v1','name':'target'},'note':'n','order':1,"
                        + "'operations':[{'type':'replace','path':'/v','value':2}]}");
        DocumentId id = new DocumentId("strake/Operations/v1", "site", "ops");

        for (String steering : List.of("target", "order", "operations")) {
            assertThat(names(dependents(id, Place.ROOT.at(steering), 9, target, operations)))
                    .as(steering)
                    .containsExactly("target");
        }
        assertThat(names(dependents(id, Place.ROOT, 9, target, operations))).containsExactly("target");
        assertThat(names(dependents(id, Place.ROOT.at("note"), 9, target, operations)))
                .isEmpty();
    }

    @Test
    void shouldReachDocumentsThatASchemaChecks() {
        MapValue schema =
                TestDocument.dataSchema("t/A/v1", "{'$schema':'http://json-schema.org/schema#','type':'object'}");
        Dependents dependents = dependents(
                new DocumentId("deckhand/DataSchema/v1", "", "t/A/v1"),
                Place.ROOT.at("type"),
                9,
                top("{'a':1}"),
                schema);

        assertThat(names(dependents)).containsExactly("top");
        assertThat(dependents.found()).allMatch(each -> each.edge().reference() instanceof Reference.Governor);
    }

    @Test
    void shouldCountTheShortestPathAndListTheNearestFirst() {
        Dependents dependents = dependents(
                TOP,
                A,
                9,
                top("{'a':1}"),
                from("top", "one", ".a", ".v"),
                from("one", "two", ".v", ".v"),
                from("two", "three", ".v", ".v"),
                document("near")
                        .taking("t/A/v1", "two", ".v", ".x")
                        .taking("t/A/v1", "top", ".a", ".y")
                        .data("{}"));

        assertThat(dependents.found().stream()
                        .map(each -> each.depth() + " " + each.document().name()))
                .containsExactlyInAnyOrder("1 one", "1 near", "2 two", "3 three");
        assertThat(dependents.found().stream().map(Dependents.Dependent::depth)).isSorted();
        assertThat(dependents.edges())
                .as("both ways to near, and one to each other")
                .hasSize(5);
        assertThat(dependents.isComplete()).isTrue();
    }

    @Test
    void shouldReportAnIncompleteList() {
        Dependents dependents =
                dependents(TOP, A, 1, top("{'a':1}"), from("top", "one", ".a", ".v"), from("top", "two", ".a", ".v"));

        assertThat(dependents.found()).hasSize(1);
        assertThat(dependents.isComplete()).isFalse();
    }

    @Test
    void shouldFollowTheWholeDocumentWhenManyPlacesAreReached() {
        StringBuilder data = new StringBuilder("{'a':{");
        String[] paths = new String[200];
        for (int i = 0; i < 100; i++) {
            data.append(i == 0 ? "" : ",").append("'k").append(i).append("':1");
            paths[2 * i] = ".a.k" + i;
            paths[2 * i + 1] = ".v" + i;
        }
        assertThat(reached(
                        A,
                        top(data.append("}}").toString()),
                        from("top", "next", paths),
                        from("next", "early", ".v1", ".v"),
                        from("next", "late", ".v99", ".v"),
                        document("aside").in("global").labels("{'is':'aside'}").data("{}")))
                .containsExactlyInAnyOrder("next", "early", "late");
    }

    @Test
    void shouldNotListADocumentAmongItsOwnDependents() {
        assertThat(reached(
                        Place.ROOT,
                        document("top")
                                .in("global")
                                .taking("t/A/v1", "back", ".v", ".a")
                                .data("{'b':1}"),
                        from("top", "back", ".b", ".v")))
                .containsExactly("back");
    }

    /* One of the two would count as too long if the last one found came first. */
    @Test
    void shouldCountTheShortestPathWhicheverIsFoundFirst() {
        Dependents dependents = dependents(
                TOP,
                A,
                9,
                top("{'a':1}"),
                from("top", "first", ".a", ".v"),
                from("top", "last", ".a", ".v"),
                from("first", "long1", ".v", ".v"),
                from("last", "long2", ".v", ".v"),
                fromTwo("under1", "first", "long2"),
                fromTwo("under2", "last", "long1"));

        assertThat(dependents.found().stream()
                        .map(each -> each.depth() + " " + each.document().name()))
                .containsExactlyInAnyOrder("1 first", "1 last", "2 long1", "2 long2", "2 under1", "2 under2");
    }

    private static MapValue fromTwo(String name, String one, String other) {
        return document(name)
                .taking("t/A/v1", one, ".v", ".x")
                .taking("t/A/v1", other, ".v", ".y")
                .data("{}");
    }

    @Test
    void shouldReachACollectionThatReadsAtAboveOrBelowThePlace() {
        MapValue top = top("{'a':{'x':{'y':1}},'b':2}");

        assertThat(reached(
                        A.at("x"),
                        top,
                        collection("at", ".a.x"),
                        collection("above", ".a"),
                        collection("below", ".a.x.y"),
                        collection("beside", ".b")))
                .containsExactlyInAnyOrder("at", "above", "below");
    }

    @Test
    void shouldNotReachAnAbstractCollection() {
        assertThat(reached(A, top("{'a':1}"), owner("none").isAbstract().data(gathering("none", ".a"))))
                .isEmpty();
    }

    @Test
    void shouldNotReachReadersOfAReplacementFromTheReplacedDocument() {
        MapValue replacement =
                document("top").isReplacement().over("{'is':'top'}").data("{'a':2}");
        MapValue collection = collection("gathered", ".a");

        assertThat(reached(A, top("{'a':1}"), replacement, collection)).isEmpty();
        assertThat(names(dependents(
                        new DocumentId("t/A/v1", "site", "top"), A, 9, top("{'a':1}"), replacement, collection)))
                .containsExactly("gathered");
    }

    private static MapValue collection(String name, String path) {
        return owner(name).data(gathering(name, path));
    }

    private static TestDocument owner(String name) {
        return TestDocument.document("strake/Collection/v1", name);
    }

    private static String gathering(String name, String path) {
        return "{'schema':'t/A/v1','path':'%s','into':{'schema':'t/All/v1','name':'%s'}}".formatted(path, name);
    }

    private static List<String> names(Dependents dependents) {
        return dependents.found().stream().map(each -> each.document().name()).toList();
    }

    @Test
    void shouldListEquallyNearDocumentsByIdentity() {
        List<Integer> numbers = new ArrayList<>(IntStream.range(10, 40).boxed().toList());
        Collections.shuffle(numbers, new Random(7));
        MapValue[] documents = Stream.concat(
                        Stream.of(top("{'a':1}")),
                        numbers.stream().map(number -> from("top", "d" + number, ".a", ".b")))
                .toArray(MapValue[]::new);

        assertThat(reached(A, documents)).hasSize(30).isSorted();
    }
}
