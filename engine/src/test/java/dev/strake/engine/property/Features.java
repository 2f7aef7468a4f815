package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the metadata of documents that render has to contain now and then, or the stories prove nothing about it. */
final class Features {

    private static final Map<String, Pattern> ALL = Map.ofEntries(
            feature("a pattern for the source", "\"src\":\\{[^}]*\"pattern\""),
            feature("a group", "\"match_group\":[1-9]"),
            feature("a pattern for the destination", "\"dest\":[^{]*\\{[^}]*\"pattern\""),
            feature("a recursive pattern", "\"recurse\""),
            feature("several destinations", "\"dest\":\\["),
            feature("three substitutions", "(\"src\".*){3}"),
            feature("a replacement that substitutes", "\"replacement\":true.*\"src\"|\"src\".*\"replacement\":true"),
            feature("a child that substitutes", "parentSelector.*\"src\"|\"src\".*parentSelector"),
            feature("three actions", "(\"method\".*){3}"),
            feature("what is false or empty anyway", "\"replacement\":false,\"substitutions\":\\[]"),
            feature("a control document with more", "Control.*\"(more|replacement|layeringDefinition)\""),
            feature("a key in quotes", "\"path\":\"[^\"]*'"),
            feature("an index from the end", "\"path\":\"[^\"]*\\[-"));

    private Features() {}

    private static Map.Entry<String, Pattern> feature(String name, String text) {
        return Map.entry(name, Pattern.compile(text));
    }

    static void count(List<MapValue> trees, NaiveRenderer rendered, Map<String, Integer> counts) {
        for (MapValue tree : trees) {
            if (!rendered.outcomes().get(Document.ofValid(tree).id()).isInTrouble()) {
                String text = Json.text(tree.get("metadata"));
                ALL.forEach((name, in) -> counts.merge(name, in.matcher(text).find() ? 1 : 0, Integer::sum));
            }
        }
    }

    static void check(Map<String, Integer> counts, long steps) {
        ALL.keySet().forEach(name -> assertThat(counts.get(name)).as(name).isGreaterThan((int) (steps / 200)));
    }
}
