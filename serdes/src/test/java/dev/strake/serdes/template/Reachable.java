package dev.strake.serdes.template;

import dev.strake.engine.template.source.FileNames;
import dev.strake.engine.template.source.UnreadableSourceException;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;

/** The documents that a template and its environments lead to, by the names that stand in them. */
final class Reachable implements FileNames.Visitor {

    private final Map<String, Value> documents;
    private final Map<String, Value> reached = new HashMap<>();

    private Reachable(Map<String, Value> documents) {
        this.documents = documents;
    }

    static Map<String, Value> from(MapValue parent, Map<String, Value> documents) {
        Reachable reachable = new Reachable(documents);
        reachable.look(documents.get(((Text) parent.get("template")).value()), false);
        for (Value name : ((ListValue) parent.get("environment_files")).items()) {
            String environment = ((Text) name).value();
            if (documents.containsKey(environment)) {
                reachable.reached.put(environment, documents.get(environment));
                reachable.look(documents.get(environment), true);
            }
        }
        return reachable.reached;
    }

    private void look(Value document, boolean environment) {
        try {
            Value tree = new TextSource("document", ((Text) document).value()).tree();
            if (environment) {
                FileNames.inEnvironment(tree, this);
            } else {
                FileNames.inTemplate(tree, this);
            }
        } catch (UnreadableSourceException e) {
            return; // it leads nowhere
        }
    }

    @Override
    public String file(String name) {
        if (documents.containsKey(name)) {
            reached.put(name, documents.get(name));
        }
        return name;
    }

    @Override
    public String template(String name) {
        if (documents.containsKey(name) && reached.put(name, documents.get(name)) == null) {
            look(documents.get(name), false);
        }
        return name;
    }
}
