package dev.strake.testing;

/** Documents that most sites of tests have. */
public final class Site {

    /** A layering policy of the layers global and site. */
    public static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [global, site]}
            """;

    private Site() {}
}
