package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Colliding;
import dev.strake.engine.tree.MapValue;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Documents of which everything that names them has one hash code in Java take no more work than others. Work in proportion to
 * the square of their number would be 30 times as much.
 */
class CollidingNamesTest {

    private static final List<String> NAMES = Colliding.texts(14);

    /* Of letters alone, as the name of a kind is. */
    private static final List<String> ORDINARY = IntStream.range(0, NAMES.size())
            .mapToObj(i -> "%028d"
                    .formatted(i)
                    .chars()
                    .mapToObj(digit -> String.valueOf((char) ('a' + digit - '0')))
                    .collect(Collectors.joining()))
            .toList();

    private static final String DOCUMENT =
            "{'schema':'t/%s/v1','metadata':{'schema':'metadata/Document/v1','name':'%s','storagePolicy':'cleartext',"
                    + "'layeringDefinition':{'layer':'site','abstract':false%s},'labels':{%s}%s},'data':{'a':1}}";

    private static final String MERGE = ",'actions':[{'method':'merge','path':'.'}]";

    private final TestWorkspace workspace = begun();

    private static TestWorkspace begun() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put(
                "policy",
                Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1',"
                        + "'name':'policy','storagePolicy':'cleartext'},'data':{'layerOrder':['global','site']}}"));
        return workspace;
    }

    @Test
    void shouldTakeManyDocuments() {
        put(name -> document("Kind", name, "", "", ""));
        assertThat(workspace.reopened().head().graph().size()).isEqualTo(NAMES.size() + 1);
        workspace.delete("b", new DocumentId("t/Kind/v1", "site", NAMES.get(7)));
        assertThat(workspace.published().containsKey(new DocumentKey("t/Kind/v1", NAMES.get(7))))
                .isFalse();
        assertThat(workspace.head().graph().size()).isEqualTo(NAMES.size());
    }

    @Test
    void shouldTakeManySchemas() {
        put(name -> document(name, "one", "", "", ""));
    }

    @Test
    void shouldTakeManyLabels() {
        put(name -> document("Kind", name, "", "'is':'" + name + "'", ""));
        put(name -> document("Kind", name, "", "'" + name + "':'is'", ""));
    }

    @Test
    void shouldTakeManySelectors() {
        put(name -> document("Kind", name, ",'parentSelector':{'is':'" + name + "'}" + MERGE, "", ""));
        put(name -> document("Kind", name, ",'parentSelector':{'" + name + "':'is'}" + MERGE, "", ""));
    }

    @Test
    void shouldTakeManySubstitutions() {
        put(name -> document(
                "Kind",
                name,
                "",
                "",
                ",'substitutions':[{'src':{'schema':'t/Other/v1','name':'" + name
                        + "','path':'.a'},'dest':{'path':'.b'}}]"));
    }

    @Test
    void shouldTakeManyTargetsOfOperations() {
        String operations =
                "{'schema':'strake/Operations/v1','metadata':{'schema':'metadata/Document/v1','name':'%1$s',"
                        + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'site'}},'data':{'target':{'schema':'t/Kind/v1',%2$s},"
                        + "'operations':[{'type':'replace','path':'/a','value':2}]}}";
        put(name -> Json.map(operations.formatted(name, "'name':'" + name + "'")));
        put(name -> Json.map(operations.formatted(name, "'labels':{'is':'" + name + "'}")));
    }

    @Test
    void shouldTakeManyBuckets() {
        compare((each, names) -> names.forEach(name -> each.put(name, document("Kind", name, "", "", ""))));
        assertThat(workspace.published().size()).isEqualTo(NAMES.size() + 1);
    }

    private void put(Function<String, MapValue> document) {
        compare((each, names) -> each.put("b", names.stream().map(document).toArray(MapValue[]::new)));
        assertThat(workspace.head().graph().size()).isEqualTo(NAMES.size() + 1);
    }

    private void compare(BiConsumer<TestWorkspace, List<String>> publishing) {
        TestWorkspace other = begun();
        long ofOrdinary = cpu(() -> publishing.accept(other, ORDINARY));
        assertThat(cpu(() -> publishing.accept(workspace, NAMES))).isLessThan(10 * ofOrdinary);
    }

    private static long cpu(Runnable work) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        work.run();
        return threads.getCurrentThreadCpuTime() - before;
    }

    private static MapValue document(String kind, String name, String layering, String labels, String more) {
        return Json.map(DOCUMENT.formatted(kind, name, layering, labels, more));
    }
}
