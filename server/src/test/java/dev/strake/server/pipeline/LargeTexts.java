package dev.strake.server.pipeline;

import java.util.Base64;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts of changes whose records become as large as is wanted. They are written compactly: characters are bytes as JSON. */
final class LargeTexts {

    private static final String DOCUMENT = json(
            "{'schema':'example/Thing/v1','metadata':{'schema':'metadata/Document/v1','name':'%s','storagePolicy':'cleartext','layeringDefinition':{%s}%s},'data':%s}");
    private static final String POLICY = json(
            "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'policy'},'data':{'layerOrder':['global','%s']}}");
    static final String GLOBAL = json("'layer':'global'");
    static final String SITE = json("'layer':'site'");
    static final String OF_PARENT = json(",'parentSelector':{'is':'parent'},'actions':[{'method':'merge','path':'.'}]");
    static final String PARENT = json(",'labels':{'is':'parent'}");

    /** What a codec packs into nearly nothing, and what the codec of the pipeline does not pack at all. */
    enum Text {
        PLAIN,
        NOISE;

        String of(int length) {
            if (this == PLAIN) {
                return "a".repeat(length);
            }
            byte[] noise = new byte[length / 4 * 3 + 3];
            new Random(length).nextBytes(noise);
            return Base64.getUrlEncoder().encodeToString(noise).substring(0, length);
        }

        /** A name of nearly as many characters as a name may have. As JSON, they have six bytes each, or are noise of three. */
        String name(int number) {
            return this == PLAIN
                    ? "\\u0001".repeat(1_000) + number
                    : new Random(number)
                                    .ints(1_000, 0x4e00, 0x9fa5)
                                    .mapToObj(Character::toString)
                                    .collect(Collectors.joining())
                            + number;
        }
    }

    private LargeTexts() {}

    static String policy(String layer) {
        return POLICY.formatted(layer);
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }

    static String quoted(String text) {
        return '"' + text + '"';
    }

    static String array(String... documents) {
        return "[" + String.join(",", documents) + "]";
    }

    static String many(int count, IntFunction<String> document) {
        return IntStream.range(0, count).mapToObj(document).collect(Collectors.joining(","));
    }

    static String document(String name, String layering, String metadata, String data) {
        return DOCUMENT.formatted(name, layering, metadata, data);
    }

    static String secret(String name, String layering, String metadata, String data) {
        return document(name, layering, metadata, data).replaceFirst("cleartext", "encrypted");
    }

    static String child(String label, String data) {
        return document("child", SITE + OF_PARENT, json(",'labels':{'b':'%s'}").formatted(label), data);
    }

    static String gathering(int sources) {
        String source =
                json("{'src':{'schema':'example/Thing/v1','name':'source-%1$d','path':'.'},'dest':{'path':'.s%1$d'}}");
        return document(
                "all", SITE, json(",'substitutions':[%s]").formatted(many(sources, i -> source.formatted(i))), "{}");
    }

    static String collection(String what, String text) {
        String all = json("{'schema':'example/Thing/v1'," + what + ",'into':{'schema':'example/All/v1','name':'all'}}");
        return document("gather", SITE, "", all.formatted(text)).replaceFirst("example/Thing", "strake/Collection");
    }

    static String longNamed(Text text, int first, int count, String layering, String metadata) {
        String layer = json("'layer':'%s'").formatted(text.name(0));
        String schema = "example/" + "K".repeat(1_000);
        return many(
                count,
                i -> document(text.name(first + i), layer + layering, metadata, "{}")
                        .replaceFirst("example/Thing", schema));
    }
}
