package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Evaluation is a list of steps, each with its place in the document that asks for it; whoever watches can retrace them. */
class StepTest {

    private static final List<MapValue> DOCUMENTS = List.of(
            Json.map("""
                    {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
                     'data':{'layerOrder':['top','leaf']}}
                    """),
            document("parent", "top", ",'labels':{'k':'v'}", "", "{'a':1,'b':{'c':2},'gone':3}"),
            document("source", "top", "", "", "{'x':5}"),
            document(
                    "child",
                    "leaf",
                    ",'substitutions':[{'src':{'schema':'t/A/v1','name':'source','path':'.x'},"
                            + "'dest':[{'path':'.first'},{'path':'.second'}]}]",
                    ",'parentSelector':{'k':'v'},'actions':[{'method':'delete','path':'.gone'},"
                            + "{'method':'merge','path':'.'}]",
                    "{'own':true}"),
            Json.map("""
                    {'schema':'strake/Operations/v1','metadata':{'schema':'metadata/Document/v1','name':'ops',
                      'storagePolicy':'cleartext','layeringDefinition':{'layer':'leaf'}},
                     'data':{'target':{'schema':'t/A/v1','name':'child'},'operations':[
                       {'type':'replace','path':'/a','value':7},{'type':'remove','path':'/b/c'}]}}
                    """));

    private final List<String> taken = new ArrayList<>();
    private Value last;

    @Test
    void shouldTakeEachStepOnWhatTheOneBeforeMade() throws EvaluationException {
        TestWorkspace workspace = new TestWorkspace();
        workspace.putBucket("b", DOCUMENTS);
        DocumentId child = new DocumentId("t/A/v1", "leaf", "child");

        Value data = Evaluator.of(
                        workspace.document(child),
                        workspace.head().graph().dependencies(child),
                        inputs(workspace),
                        RenderLimits.DEFAULT,
                        warning -> {})
                .evaluate(this::watch);

        assertThat(data).isEqualTo(workspace.data(child)).isEqualTo(last);
        assertThat(taken)
                .containsExactly(
                        "child .metadata.layeringDefinition.parentSelector {\"a\":1,\"b\":{\"c\":2},\"gone\":3}",
                        "child .metadata.layeringDefinition.actions[0] {\"a\":1,\"b\":{\"c\":2}}",
                        "child .metadata.layeringDefinition.actions[1] {\"a\":1,\"b\":{\"c\":2},\"own\":true}",
                        "child .metadata.substitutions[0].dest[0] {\"a\":1,\"b\":{\"c\":2},\"own\":true,\"first\":5}",
                        "child .metadata.substitutions[0].dest[1] "
                                + "{\"a\":1,\"b\":{\"c\":2},\"own\":true,\"first\":5,\"second\":5}",
                        "ops .data.operations[0] {\"a\":7,\"b\":{\"c\":2},\"own\":true,\"first\":5,\"second\":5}",
                        "ops .data.operations[1] {\"a\":7,\"b\":{},\"own\":true,\"first\":5,\"second\":5}");
    }

    private void watch(Step step, Value before, Value after) {
        assertThat(before).as("what the step before made").isEqualTo(last);
        taken.add(step.askedBy().name() + " " + step.place() + " " + Json.text(after));
        last = after;
    }

    private static Inputs inputs(TestWorkspace workspace) {
        return new Inputs() {
            @Override
            public Value data(DocumentId id) {
                return workspace.data(id);
            }

            @Override
            public OperationsDocument operations(DocumentId id) {
                return Inputs.operations(id, data(id));
            }
        };
    }

    private static MapValue document(String name, String layer, String metadata, String layering, String data) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'" + layer + "'" + layering + "}"
                + metadata
                + "},'data':" + data + "}");
    }
}
