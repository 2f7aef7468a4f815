package dev.strake.topology;

import dev.strake.engine.Json;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.topology.RandomPublisher.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Plants tokens in the leaves of encrypted documents. Equal leaves get equal tokens. The tokens of the two runs of a
 * story have the same length and no character in common, so every difference between the runs comes from a secret.
 *
 * @param run 0 or 1
 * @param wholly whether tokens replace leaves of every kind, so that everything from an encrypted document differs
 *     between the runs. Otherwise tokens are only prepended to texts, so that patterns still match
 */
record Planting(int run, boolean wholly) {

    private static final List<List<String>> ALPHABETS = List.of(List.of("BCDF", "GHJL"), List.of("MPQR", "SUVW"));
    private static final List<Pattern> TOKENS =
            List.of(Pattern.compile("(?:[BCDF][GHJL]){5}"), Pattern.compile("(?:[MPQR][SUVW]){5}"));
    private static final int PAIRS = 7;
    private static final List<String> SOURCES = List.of(".a", ".a", ".b", ".b.l", ".");
    private static final List<String> DESTINATIONS = List.of(
            "{'path':'.z.y'}",
            "{'path':'.a'}",
            "{'path':'.b'}",
            "{'path':'.l[0]'}",
            "{'path':'.s','pattern':'TOKEN'}",
            "{'path':'.b','pattern':'T.KEN','recurse':{'depth':-1}}");
    private static final String OPERATIONS = "strake/Operations/v1";
    private static final String METADATA = "metadata";

    /** Whether a text contains a token of this run. */
    boolean isIn(String text) {
        return TOKENS.get(run).matcher(text).find();
    }

    /** Adds an encrypted document as a source of values. */
    static Sent withSource(Sent sent) {
        if (!sent.type().equals("documents.put")) {
            return sent;
        }
        List<Value> documents = new ArrayList<>(((ListValue) Json.value(sent.value())).items());
        documents.add(Json.value("{'schema':'t/S/v1','metadata':{'schema':'metadata/Document/v1','name':'s',"
                + "'storagePolicy':'encrypted','layeringDefinition':{'layer':'top'}},"
                + "'data':{'a':'x','b':{'c':'y','l':['z']}}}"));
        return new Sent(text(documents), sent.type(), sent.bucket(), sent.id());
    }

    /** Makes some clear documents of a change take values from that source. */
    static Sent withSubstitutions(Sent sent, RandomGenerator random) {
        return changed(sent, document -> {
            MapValue metadata = document.map(METADATA);
            if (!isPlain(document) || StoragePolicy.isEncrypted(document) || random.nextBoolean()) {
                return document;
            }
            List<Value> all = new ArrayList<>();
            if (metadata.get("substitutions") instanceof ListValue list) {
                all.addAll(list.items());
            }
            all.add(Json.value("{'src':{'schema':'t/S/v1','name':'s','path':'%s'},'dest':%s}"
                    .formatted(
                            SOURCES.get(random.nextInt(SOURCES.size())),
                            DESTINATIONS.get(random.nextInt(DESTINATIONS.size())))));
            return document.with(METADATA, metadata.with("substitutions", ListValue.of(all)));
        });
    }

    /** Removes substitutions into what stays readable: instructions of operations and owners, and names of files. */
    static Sent withoutReadable(Sent sent) {
        return changed(sent, document -> {
            String schema = document.text("schema");
            if (!schema.startsWith("strake/") && !schema.startsWith("heat/")) {
                return document;
            }
            MapValue metadata = document.map(METADATA);
            String hidden = schema.equals(OPERATIONS) ? "].value" : ".parameters";
            List<Value> kept = metadata.items("substitutions").stream()
                    .filter(each -> destinations((MapValue) each).allMatch(path -> path.contains(hidden)))
                    .toList();
            return document.with(
                    METADATA,
                    kept.isEmpty()
                            ? metadata.without("substitutions")
                            : metadata.with("substitutions", ListValue.of(kept)));
        });
    }

    private static Stream<String> destinations(MapValue substitution) {
        Value all = substitution.get("dest");
        return (all instanceof ListValue list ? list.items().stream() : Stream.of(all))
                .map(each -> ((MapValue) each).text("path"));
    }

    /** Makes documents that cannot hold tokens clear, so that all data of a document is secret, or none. */
    static Sent withoutOtherSecrets(Sent sent) {
        return changed(sent, Planting::withoutOtherSecrets);
    }

    private static MapValue withoutOtherSecrets(MapValue document) {
        String schema = document.text("schema");
        MapValue metadata = document.map(METADATA);
        if (metadata.get("substitutions") instanceof ListValue list) {
            ListValue whole = list.withEach((index, each) -> wholeSource((MapValue) each));
            metadata = whole.size() == 0 ? metadata.without("substitutions") : metadata.with("substitutions", whole);
        }
        if (!metadata.has(StoragePolicy.KEY)) {
            return document.with(METADATA, metadata);
        }
        boolean isEncrypted = schema.equals(OPERATIONS) || (isPlain(document) && StoragePolicy.isEncrypted(document));
        if (isEncrypted) { // and takes no clear values from other documents
            MapValue layering = metadata.map("layeringDefinition");
            metadata = metadata.without("substitutions")
                    .without("replacement")
                    .with(
                            "layeringDefinition",
                            layering.without("parentSelector").without("actions"));
        }
        StoragePolicy policy = isEncrypted ? StoragePolicy.ENCRYPTED : StoragePolicy.CLEARTEXT;
        return document.with(METADATA, metadata.with(StoragePolicy.KEY, policy.text()));
    }

    /* Removes patterns and sources that are operations, because their results may contain no token. */
    private static MapValue wholeSource(MapValue substitution) {
        MapValue source = substitution.map("src").without("pattern").without("match_group");
        return source.text("schema").equals(OPERATIONS) ? null : substitution.with("src", source);
    }

    private static boolean isPlain(MapValue document) {
        String schema = document.text("schema");
        return document.map(METADATA).text("schema").equals("metadata/Document/v1")
                && !schema.startsWith("strake/")
                && !schema.startsWith("heat/");
    }

    /** Plants the tokens of this run in a change. */
    Sent in(Sent sent) {
        return changed(sent, this::planted);
    }

    private static Sent changed(Sent sent, UnaryOperator<MapValue> change) {
        if (!sent.type().endsWith(".put") || sent.type().startsWith("validation")) {
            return sent;
        }
        List<Value> documents = new ArrayList<>();
        for (Value each : ((ListValue) Json.value(sent.value())).items()) {
            documents.add(change.apply((MapValue) each));
        }
        return sent.with(text(documents));
    }

    private static String text(List<Value> documents) {
        return JsonBytes.text(ListValue.of(documents));
    }

    private MapValue planted(MapValue document) {
        Value data = document.get("data");
        if (data == null || !StoragePolicy.isEncrypted(document)) {
            return document;
        }
        if (isPlain(document)) {
            return document.with("data", planted(data));
        }
        if (document.text("schema").equals(OPERATIONS)
                && data instanceof MapValue map
                && map.get("operations") instanceof ListValue operations) {
            return document.with("data", map.with("operations", operations.withEach((index, each) -> {
                boolean writes = each instanceof MapValue fields
                        && fields.has("value")
                        && fields.text("type").equals("replace");
                return writes ? ((MapValue) each).with("value", planted(((MapValue) each).get("value"))) : each;
            })));
        }
        return document;
    }

    private Value planted(Value value) {
        if (value instanceof MapValue map && !map.isEmpty()) {
            return map.withEach((key, child) -> planted(child));
        }
        if (value instanceof ListValue list && list.size() > 0) {
            return list.withEach((index, item) -> planted(item));
        }
        String written = JsonBytes.text(value);
        if (wholly) {
            return new Text(token(written));
        }
        return value instanceof Text text ? new Text(token(written) + text.value()) : value;
    }

    private String token(String written) {
        SplittableRandom random = new SplittableRandom(written.hashCode());
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < PAIRS; i++) {
            ALPHABETS.get(run).forEach(alphabet -> token.append(alphabet.charAt(random.nextInt(alphabet.length()))));
        }
        return token.toString();
    }
}
