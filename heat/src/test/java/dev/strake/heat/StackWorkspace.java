package dev.strake.heat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Update;
import java.util.List;
import java.util.stream.Collectors;

/** A small tree of templates in a workspace. The top template nests two others. */
abstract class StackWorkspace {

    static final MapValue POLICY = Json.map("""
        {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
         'data':{'layerOrder':['global','site']}}
        """);
    static final DocumentId OWNER = new DocumentId("heat/Stack/v1", "site", "s");
    static final String HEAD = "'heat_template_version':'rocky'";
    static final String TOP = HEAD + ",'parameters':{'who':{'type':'string'}},"
            + "'resources':{'a':{'type':'My::Leaf','properties':{'name':{'get_param':'who'}}},'b':{'type':'lib/b.yaml'}}";
    static final String LEAF = HEAD + ",'parameters':{'name':{'type':'string'},'size':{'type':'number','default':3}}";
    static final String MAPPINGS = "'resource_registry':{'My::Leaf':'lib/leaf.yaml'}";
    static final String STACK = "'template':'top.yaml','environments':['env.yaml']";

    final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    Update publish() {
        return workspace.put(
                "b",
                POLICY,
                template("top.yaml", TOP),
                template("lib/leaf.yaml", LEAF),
                template("lib/b.yaml", HEAD + ",'parameters':{'size':{'type':'number'}}"),
                environment("env.yaml", MAPPINGS),
                stack(STACK));
    }

    Value value(String stack, String parameter) {
        return ((MapValue) ((MapValue) derived(stack).get("Parameters")).get(parameter)).get("Value");
    }

    Problem problem() {
        return workspace.head().evaluation(OWNER).problem();
    }

    List<String> names() {
        return workspace.published().keySet().stream()
                .filter(key -> key.schema().equals("heat/ParameterSchema/v1"))
                .map(DocumentKey::name)
                .toList();
    }

    MapValue derived(String name) {
        return (MapValue) workspace
                .published()
                .get(new DocumentKey("heat/ParameterSchema/v1", name))
                .get("data");
    }

    static List<String> neededNames(MapValue top) {
        return ((ListValue) top.get("needs_input"))
                .items().stream()
                        .map(each -> ((Text) ((MapValue) each).get("Name")).value())
                        .collect(Collectors.toList());
    }

    static MapValue stack(String data) {
        return document("heat/Stack/v1", "s", "{" + data + "}");
    }

    static MapValue template(String name, String data) {
        return document("heat/Template/v1", name, "{" + data + "}");
    }

    static MapValue environment(String name, String data) {
        return document("heat/Environment/v1", name, "{" + data + "}");
    }

    static MapValue document(String schema, String name, String data) {
        return Json.map("""
            {'schema':'%s','metadata':{'schema':'metadata/Document/v1','name':'%s','storagePolicy':'cleartext',
             'layeringDefinition':{'layer':'site'}},'data':%s}
            """.formatted(schema, name, data));
    }
}
