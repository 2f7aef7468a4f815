package dev.strake.testing.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** The patches of the stand-in, independent of the tested code. Strategic ones only as far as tests need them. */
final class Patches {

    /** Merged lists, and the merge keys of their elements. */
    static final Map<String, String> KEYS =
            Map.of("containers", "name", "env", "name", "volumes", "name", "ports", "containerPort");

    private Patches() {}

    /** Applies a merge patch; a strategic one if keys are given. */
    static JsonNode merged(JsonNode live, JsonNode patch, Map<String, String> keys) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode result = live != null && live.isObject() ? live.deepCopy() : TestCluster.JSON.createObjectNode();
        patch.properties().forEach(member -> {
            JsonNode old = result.get(member.getKey());
            if (member.getValue().isNull()) {
                result.remove(member.getKey());
            } else if (keys.containsKey(member.getKey())
                    && member.getValue().isArray()
                    && old instanceof ArrayNode list) {
                result.set(member.getKey(), united(list, member.getValue(), keys.get(member.getKey()), keys));
            } else {
                result.set(member.getKey(), merged(old, member.getValue(), keys));
            }
        });
        return result;
    }

    private static ArrayNode united(ArrayNode live, JsonNode patch, String key, Map<String, String> keys) {
        ArrayNode result = live.deepCopy();
        for (JsonNode element : patch) {
            int at = -1;
            for (int i = 0; i < result.size(); i++) {
                at = result.get(i).path(key).equals(element.path(key)) ? i : at;
            }
            if (element.path("$patch").asText().equals("delete")) {
                if (at >= 0) {
                    result.remove(at);
                }
            } else if (at < 0) {
                result.add(element.deepCopy());
            } else {
                result.set(at, merged(result.get(at), element, keys));
            }
        }
        return result;
    }

    /** Applies add, replace, remove and test to members of mappings. */
    static ObjectNode jsonPatched(ObjectNode live, JsonNode operations) {
        ObjectNode result = live.deepCopy();
        for (JsonNode operation : operations) {
            List<String> steps =
                    List.of(operation.path("path").asText().substring(1).split("/"));
            ObjectNode parent = result;
            for (String step : steps.subList(0, steps.size() - 1)) {
                parent = (ObjectNode) parent.get(plain(step));
            }
            String last = plain(steps.get(steps.size() - 1));
            switch (operation.path("op").asText()) {
                case "add", "replace" -> parent.set(last, operation.get("value"));
                case "remove" -> parent.remove(last);
                case "test" -> {
                    if (!operation.get("value").equals(parent.get(last))) {
                        throw new IllegalStateException("test failed at " + operation.path("path"));
                    }
                }
                default ->
                    throw new IllegalArgumentException(operation.path("op").asText());
            }
        }
        return result;
    }

    private static String plain(String step) {
        return step.replace("~1", "/").replace("~0", "~");
    }
}
