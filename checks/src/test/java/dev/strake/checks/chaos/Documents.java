package dev.strake.checks.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The documents in the workspaces of a busy and careless publisher, each as JSON in one of several random forms:
 *
 * <pre>
 *  layer base     b-0 b-1 ◄─ of each a share     r-0 r-1 ◄─ replaced by     root
 *  layer global   g-0 … g-5 ◄─ of each a share   r-0 r-1 ◄─ replaced by     family ◄─ all of them
 *  layer site     d-0 …   take values of a g     r-0 r-1, and e-0 e-1       k-0 … k-71, in some workspaces
 * </pre>
 *
 * Layer {@code base} is abstract, so its rendered data is not stored but derived again as an input of other documents.
 * Many documents are published again with their keys in another order. Consumers see no difference, but documents
 * derived from them keep the order.
 */
final class Documents {

    static final int BASES = 2;
    static final int GROUPS = 6;
    static final int CHAINS = 2;

    /** Children of one parent: enough to be rendered in parallel, on all processors. */
    static final int FAMILY = 72;

    static final int OPERATIONS = 3;

    private static final String KIN_SCHEMA = "chaos/Kin/v1";

    /** The largest value in a kin's data while the schema is loose. */
    private static final int MOST = 50;

    /** Groups whose parent is not abstract, so that others can substitute from it. */
    private static final int[] CONCRETE = {1, 2, 4, 5};

    private final SplittableRandom random;
    private final int children;

    /**
     * @param children in each workspace, without families
     */
    Documents(SplittableRandom random, int children) {
        this.random = random;
        this.children = children;
    }

    /** Whether a workspace has a family. Not all have one, because families are expensive. */
    static boolean hasFamily(int workspace) {
        return workspace % 6 == 3;
    }

    /** The initial documents of the bucket {@code main}. */
    List<String> beginning() {
        List<String> all = new ArrayList<>();
        all.add("""
                {"schema":"deckhand/LayeringPolicy/v1","metadata":{"schema":"metadata/Control/v1","name":"policy"},\
                "data":{"layerOrder":["base","global","site"]}}""");
        IntStream.range(0, BASES).forEach(number -> all.add(base(number)));
        IntStream.range(0, GROUPS).forEach(group -> all.add(parent(group)));
        for (int chain = 0; chain < CHAINS; chain++) {
            all.add(replaced(chain));
            all.add(heir(chain));
        }
        IntStream.range(0, children).forEach(number -> all.add(child(number)));
        return all;
    }

    String base(int number) {
        int look = random.nextInt(3);
        return document(
                "Thing",
                "b-" + number,
                "base",
                labels("\"base\":\"b-" + number + "\"", edition()),
                "\"abstract\":true",
                members("\"kind\":" + look, "\"zone\":" + look % 2));
    }

    String parent(int group) {
        int look = random.nextInt(12);
        String level = members("\"a\":" + look % 4, "\"b\":\"%s\"".formatted("text ".repeat(look)));
        return document(
                "Thing",
                "g-" + group,
                "global",
                labels("\"group\":\"g-" + group + "\"", edition()),
                "\"abstract\":%b,\"parentSelector\":{\"base\":\"b-%d\"},%s"
                        .formatted(group % 3 == 0, group % BASES, MERGE),
                members("\"value\":" + look, "\"level\":" + level, "\"list\":[%d,%d]".formatted(look % 3, look % 5)));
    }

    /** A child of a parent; one in four also substitutes a value from another document. */
    String child(int number) {
        return child(number, number % 4 == 0 ? CONCRETE[number / 4 % CONCRETE.length] : -1);
    }

    /** A child that cannot be rendered, because it substitutes from a missing document. */
    String brokenChild(int number) {
        return child(number, GROUPS);
    }

    /* Its labels change and have a random order; operations select by two of them. */
    private String child(int number, int source) {
        String labels = labels("\"rack\":\"r-" + random.nextInt(3) + "\"", "\"side\":\"s-" + random.nextInt(2) + "\"");
        return document(
                "Thing",
                "d-" + number,
                "site",
                source < 0 ? labels : labels + "," + substitution(source),
                "\"parentSelector\":{\"group\":\"g-%d\"},%s".formatted(number % GROUPS, MERGE),
                members("\"own\":" + random.nextInt(MOST), "\"level\":{\"a\":%d}".formatted(random.nextInt(3))));
    }

    /* A substitution of a value, an item of a list, or all matches of a path, into one or two destinations. */
    private String substitution(int source) {
        String path = List.of(".value", ".list[1]", ".level.a", "..a").get(random.nextInt(4));
        String destination = List.of(
                        "{\"path\":\".from\"}", "[{\"path\":\".from\"},{\"path\":\".level.['also here']\"}]")
                .get(random.nextInt(2));
        return "\"substitutions\":[{\"src\":{\"schema\":\"chaos/Thing/v1\",\"name\":\"g-%d\",\"path\":\"%s\"},\"dest\":%s}]"
                .formatted(source, source == GROUPS ? ".value" : path, destination);
    }

    /** The first document of a chain of replacements. */
    String replaced(int chain) {
        return document(
                "Thing",
                "r-" + chain,
                "base",
                labels("\"chain\":\"r-" + chain + "\"", edition()),
                "\"abstract\":false",
                members("\"first\":" + random.nextInt(4), "\"shared\":1"));
    }

    /** A document that layers on the end of the chain. */
    String heir(int chain) {
        return document(
                "Thing",
                "e-" + chain,
                "site",
                labels("\"heir\":\"yes\""),
                "\"parentSelector\":{\"chain\":\"r-%d\"},%s".formatted(chain, MERGE),
                members("\"heir\":" + random.nextInt(3)));
    }

    /**
     * The replacements of the first document of a chain, which are the whole bucket of the chain: none, one, or one
     * with a replacement of its own. That one in the middle must be abstract to be replaced, and sometimes is not.
     */
    List<String> replacements(int chain) {
        boolean middle = random.nextInt(3) > 0;
        boolean end = random.nextInt(3) > 0;
        boolean chosenLikeTheFirst = random.nextBoolean();
        List<String> result = new ArrayList<>();
        if (middle) {
            String link = "\"link\":\"r-" + chain + "\"";
            result.add(replacement(
                    chain,
                    "global",
                    chosenLikeTheFirst ? labels(link, "\"chain\":\"r-" + chain + "\"") : labels(link),
                    "chain",
                    end ? random.nextInt(12) > 0 : random.nextBoolean()));
        }
        if (end) {
            result.add(replacement(
                    chain, "site", labels("\"end\":\"yes\""), middle && !chosenLikeTheFirst ? "link" : "chain", false));
        }
        return result;
    }

    private String replacement(int chain, String layer, String labels, String selector, boolean isAbstract) {
        return document(
                "Thing",
                "r-" + chain,
                layer,
                labels + ",\"replacement\":true",
                "\"abstract\":%b,\"parentSelector\":{\"%s\":\"r-%d\"},%s".formatted(isAbstract, selector, chain, MERGE),
                members("\"" + layer + "\":" + random.nextInt(4), "\"shared\":" + random.nextInt(3)));
    }

    /** The parent of a family, and its own parents. */
    List<String> elders() {
        return List.of(
                document(
                        "Kin",
                        "root",
                        "base",
                        labels("\"root\":\"yes\""),
                        "\"abstract\":true",
                        members("\"crest\":" + random.nextInt(3), "\"motto\":\"m-" + random.nextInt(2) + "\"")),
                elder());
    }

    /** The parent of a family. */
    String elder() {
        return document(
                "Kin",
                "family",
                "global",
                labels("\"family\":\"yes\"", edition()),
                "\"abstract\":false,\"parentSelector\":{\"root\":\"yes\"}," + MERGE,
                members("\"value\":" + random.nextInt(9), "\"level\":{\"a\":%d}".formatted(random.nextInt(4))));
    }

    /** All children of a family, except some that are absent. */
    List<String> kin() {
        int away = random.nextInt(3);
        return IntStream.range(0, FAMILY)
                .filter(number -> number % 24 >= away)
                .mapToObj(this::kin)
                .collect(Collectors.toList());
    }

    String kin(int number) {
        String labels = labels("\"kin\":\"yes\"", "\"house\":\"h-" + number % 3 + "\"");
        return document(
                "Kin",
                "k-" + number,
                "site",
                number % 3 > 0 ? labels : labels + """
                        ,"substitutions":[{"src":{"schema":"%s","name":"family","path":".value"},"dest":{"path":".from"}}]""".formatted(KIN_SCHEMA),
                "\"parentSelector\":{\"family\":\"yes\"}," + MERGE,
                members("\"own\":" + random.nextInt(MOST), "\"number\":" + number));
    }

    /** The schema of a family: either all members fit, or some of them violate it. */
    String schema(boolean isTight) {
        int most = isTight ? MOST - 2 : MOST + random.nextInt(3);
        return """
                {"schema":"deckhand/DataSchema/v1","metadata":{"schema":"metadata/Control/v1","name":"%s"},\
                "data":{"$schema":"http://json-schema.org/schema#","type":"object",\
                "properties":{"own":{"type":"integer","maximum":%d}}}}""".formatted(KIN_SCHEMA, most);
    }

    /** Operations on one child, on the parent of a group and so its children, or on all with two labels. */
    String operations(int number, boolean hasFamily) {
        String target = switch (random.nextInt(hasFamily ? 4 : 3)) {
            case 0 -> "\"labels\":{\"group\":\"g-%d\"}".formatted(random.nextInt(GROUPS));
            case 1 ->
                "\"labels\":"
                        + members(
                                "\"rack\":\"r-" + random.nextInt(3) + "\"", "\"side\":\"s-" + random.nextInt(2) + "\"");
            case 2 -> "\"name\":\"d-%d\"".formatted(random.nextInt(children));
            default -> "\"labels\":" + members("\"kin\":\"yes\"", "\"house\":\"h-" + random.nextInt(3) + "\"");
        };
        String schema = target.contains("kin") ? KIN_SCHEMA : "chaos/Thing/v1";
        return """
                {"schema":"strake/Operations/v1","metadata":{"schema":"metadata/Document/v1","name":"o-%d",\
                "storagePolicy":"cleartext","layeringDefinition":{"layer":"site"}},\
                "data":{"target":%s,"order":%d,"operations":[\
                {"type":"replace","path":"/level?/made","value":%d},{"type":"remove","path":"/own?"}]}}""".formatted(
                        number, "{\"schema\":\"" + schema + "\"," + target + "}", random.nextInt(3), random.nextInt(4));
    }

    private static final String MERGE = "\"actions\":[{\"method\":\"merge\",\"path\":\".\"}]";

    private static String document(
            String kind, String name, String layer, String metadata, String layering, String data) {
        return """
                {"schema":"chaos/%s/v1","metadata":{"schema":"metadata/Document/v1","name":"%s",\
                "storagePolicy":"cleartext",%s,"layeringDefinition":{"layer":"%s",%s}},"data":%s}""".formatted(kind, name, metadata, layer, layering, data);
    }

    private String edition() {
        return "\"edition\":\"" + random.nextInt(2) + "\"";
    }

    private String labels(String... labels) {
        return "\"labels\":" + members(labels);
    }

    private String members(String... members) {
        List<String> ordered = new ArrayList<>(List.of(members));
        if (random.nextBoolean()) {
            Collections.reverse(ordered);
        }
        return "{" + String.join(",", ordered) + "}";
    }
}
