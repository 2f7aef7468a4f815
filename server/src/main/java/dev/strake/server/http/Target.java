package dev.strake.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Decodes path and parameters of a request, strictly: what a client did not mean is better refused than guessed. */
final class Target {

    private static final int MOST_REPEATED = 20;

    /** What Java puts in the place of bytes that are no UTF-8. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private Target() {}

    /**
     * The parameters behind the question mark, decoded.
     *
     * @param raw null if there are none
     * @param known the names; one that ends with a star may come more than once
     * @throws IllegalArgumentException if one is not known, comes too often, or is encoded badly
     */
    static Map<String, List<String>> parameters(String raw, SortedSet<String> known) {
        Map<String, List<String>> parameters = new HashMap<>();
        if (raw == null || raw.isEmpty()) {
            return parameters;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            boolean isRepeated = known.contains(name + "*");
            if ((!known.contains(name) && !isRepeated) || name.endsWith("*")) {
                throw new IllegalArgumentException(
                        known.isEmpty()
                                ? "There are no parameters here."
                                : "A parameter is not known here. Known are: "
                                        + String.join(", ", known).replace("*", "") + ".");
            }
            List<String> values = parameters.computeIfAbsent(name, key -> new ArrayList<>());
            values.add(value);
            if (values.size() > (isRepeated ? MOST_REPEATED : 1)) {
                throw new IllegalArgumentException("The parameter " + name + " comes more than "
                        + (isRepeated ? MOST_REPEATED + " times." : "once."));
            }
        }
        return parameters;
    }

    /**
     * A part of a path or of parameters, decoded once; a plus is a space.
     *
     * @throws IllegalArgumentException if it is no UTF-8 in percent-encoding
     */
    static String decode(String encoded) {
        String decoded;
        try {
            decoded = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw badlyEncoded();
        }
        if (decoded.indexOf(NOT_UTF_8) >= 0) {
            throw badlyEncoded();
        }
        return decoded;
    }

    private static IllegalArgumentException badlyEncoded() {
        return new IllegalArgumentException(
                "The path or a parameter is encoded badly. It has to be UTF-8, each special byte as a percent sign and two "
                        + "hexadecimal digits.");
    }
}
