package dev.strake.remote.apply.patch;

import dev.strake.remote.apply.patch.PatchType.Field;
import dev.strake.remote.apply.patch.PatchType.Lists;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The built-in kinds of Kubernetes and their lists that strategic merge patches merge: fields whose Go types in {@code
 * k8s.io/api} (1.32) have the tag {@code patchStrategy}. The version of a group makes no difference. Other kinds are
 * custom resources, for which an API server answers 415. {@code BuiltInKinds.properties} contains the table.
 */
final class BuiltInKinds {

    private static final ResourceBundle TABLE = ResourceBundle.getBundle(BuiltInKinds.class.getName(), Locale.ROOT);
    private static final Pattern FIELD = Pattern.compile("(\\w+)(?:\\[(\\w*)\\])?(?::(\\w+))?(!)?");
    private static final Map<String, PatchType> KINDS = kinds();

    private BuiltInKinds() {}

    /**
     * Returns the type of a built-in kind; empty for a custom resource.
     *
     * @param apiVersion group and version, as in the object
     */
    static Optional<PatchType> find(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return Optional.ofNullable(KINDS.get(group + "/" + kind));
    }

    private static Map<String, PatchType> kinds() {
        Map<String, PatchType> kinds = new HashMap<>();
        for (String name : TABLE.keySet()) {
            if (name.contains("/")) {
                kinds.put(name, type("metadata:Metadata " + TABLE.getString(name)));
            }
        }
        return Map.copyOf(kinds);
    }

    private static PatchType type(String fields) {
        Map<String, Field> named = new HashMap<>();
        FIELD.matcher(fields).results().forEach(field -> named.put(field.group(1), field(field)));
        return new PatchType(Map.copyOf(named), false);
    }

    private static Field field(MatchResult field) {
        String key = field.group(2);
        String type = field.group(3);
        PatchType plain = field.group(4) == null ? PatchType.PLAIN : PatchType.REPLACED;
        PatchType elements = type == null ? plain : type(TABLE.getString(type));
        if (key == null) {
            return new Field(elements, Lists.REPLACED, null);
        }
        return key.isEmpty() ? new Field(elements, Lists.UNITED, null) : new Field(elements, Lists.MERGED_BY_KEY, key);
    }
}
