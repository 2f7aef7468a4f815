package dev.strake.heat.function;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Functions of texts. */
final class TextFunctions {

    private static final Map<String, String> ALGORITHMS = Map.of(
            "md5", "MD5",
            "sha1", "SHA-1",
            "sha224", "SHA-224",
            "sha256", "SHA-256",
            "sha384", "SHA-384",
            "sha512", "SHA-512",
            "sha3_224", "SHA3-224",
            "sha3_256", "SHA3-256",
            "sha3_384", "SHA3-384",
            "sha3_512", "SHA3-512");

    private static final List<String> OF_URL =
            List.of("scheme", "username", "password", "host", "port", "path", "query", "fragment");

    private TextFunctions() {}

    static final Function DIGEST = (name, arguments, scope) -> {
        if (!(arguments instanceof ListValue both)
                || both.size() != 2
                || !(both.get(0) instanceof Text algorithm)
                || !(both.get(1) instanceof Text text)) {
            throw new UnresolvedException("Arguments to function \"" + name + "\" must be strings");
        }
        String known = ALGORITHMS.get(algorithm.value().toLowerCase(Locale.ROOT));
        if (known == null) {
            throw new UnresolvedException("Algorithm must be one of " + ALGORITHMS.keySet());
        }
        try {
            byte[] hash = MessageDigest.getInstance(known).digest(text.value().getBytes(StandardCharsets.UTF_8));
            return new Text(HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime has no " + known, e);
        }
    };

    static final Function STR_SPLIT = Function.of(
            (name, argument) -> Arguments.text(argument) == null && Arguments.keys(argument) == null
                    ? null
                    : "Incorrect arguments to \"" + name + "\" should be: \"" + name
                            + "\" : [ \",\", \"apples,pears\", <index>]",
            TextFunctions::split);

    private static Value split(String name, Value arguments, Scope scope) {
        if (!(arguments instanceof ListValue list) || list.size() < 2) {
            throw new UnresolvedException("Incorrect arguments to \"" + name + "\"");
        }
        if (list.get(1) instanceof Null) {
            return Null.NULL;
        }
        if (!(list.get(0) instanceof Text delimiter)
                || !(list.get(1) instanceof Text text)
                || delimiter.value().isEmpty()) {
            throw new UnresolvedException("Incorrect arguments to \"" + name + "\"");
        }
        scope.budget().spendText(text.value().length());
        String[] parts = text.value().split(Pattern.quote(delimiter.value()), -1);
        scope.budget().spend(parts.length);
        if (list.size() == 2) {
            return ListValue.of(List.of(parts).stream().map(Text::new).toList());
        }
        Value index = list.get(2) instanceof Text written ? number(written) : list.get(2);
        if (!(index instanceof Num num) || !num.isInteger()) {
            throw new UnresolvedException("Incorrect index to \"" + name + "\"");
        }
        int at = num.nearestInt() < 0 ? num.nearestInt() + parts.length : num.nearestInt();
        if (at < 0 || at >= parts.length) {
            throw new UnresolvedException(
                    "Incorrect index to \"" + name + "\" should be between 0 and " + (parts.length - 1));
        }
        return new Text(parts[at]);
    }

    private static Value number(Text text) {
        try {
            return Python.number(text.value());
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    static final Function MAKE_URL = new Function() {

        @Override
        public String lateComplaint(String name, Expression argument) {
            List<String> keys = Arguments.keys(argument);
            if (keys == null) {
                return Arguments.isOpen(argument) ? null : "The arguments to \"" + name + "\" must be a map";
            }
            for (String key : keys) {
                if (!OF_URL.contains(key)) {
                    return "Invalid arguments to \"" + name + "\": " + key;
                }
            }
            for (String key : OF_URL) {
                Expression part = Arguments.entry(argument, key);
                String wrong = part == null || Arguments.isDynamic(part) ? null : wrongPart(name, key, part);
                if (wrong != null) {
                    return wrong;
                }
            }
            return null;
        }

        private String wrongPart(String name, String key, Expression part) {
            if (key.equals("query")) {
                return Arguments.keys(part) == null ? "The \"query\" argument to \"" + name + "\" must be a map" : null;
            }
            if (!key.equals("port")) {
                return Arguments.text(part) == null
                        ? "The \"" + key + "\" argument to \"" + name + "\" must be a string"
                        : null;
            }
            String port = part instanceof Expression.Constant constant ? PythonText.str(constant.value()) : "";
            if (!port.strip().matches("[-+]?[0-9]{1,9}")) {
                return "Invalid URL port \"" + port + "\"";
            }
            int number = Integer.parseInt(port.strip());
            return number < 1 || number > 65535 ? "Invalid URL port " + number + ", must be in range 1-65535" : null;
        }

        @Override
        public Value apply(String name, Value arguments, Scope scope) {
            if (!(arguments instanceof MapValue map)) {
                throw new UnresolvedException("The arguments to \"" + name + "\" must be a map");
            }
            StringBuilder url = new StringBuilder();
            String scheme = part(map, "scheme");
            if (scheme.indexOf(':') >= 0) {
                throw new UnresolvedException("URL \"scheme\" should not contain ':'");
            }
            url.append(scheme).append(scheme.isEmpty() ? "" : ":");
            String place = place(map);
            url.append(place.isEmpty() ? "" : "//").append(place);
            String path = quoted(part(map, "path"), "/");
            url.append(!place.isEmpty() && !path.isEmpty() && !path.startsWith("/") ? "/" : "")
                    .append(path);
            if (map.get("query") instanceof MapValue query && !query.isEmpty()) {
                StringJoiner pairs = new StringJoiner("&", "?", "");
                query.forEach((key, value) -> pairs.add(quotedPlus(key) + "=" + quotedPlus(PythonText.str(value))));
                url.append(pairs);
            }
            String fragment = part(map, "fragment");
            url.append(fragment.isEmpty() ? "" : "#").append(quoted(fragment, "/"));
            return new Text(url.toString());
        }

        /* Returns user, host and port. */
        private String place(MapValue map) {
            StringBuilder place = new StringBuilder(quoted(part(map, "username"), ""));
            String password = part(map, "password");
            if (!password.isEmpty()) {
                place.append(':').append(quoted(password, ""));
            }
            place.append(place.length() == 0 ? "" : "@");
            String host = part(map, "host");
            if (host.startsWith("[") && host.endsWith("]") && host.length() > 1) {
                host = host.substring(1, host.length() - 1);
            }
            host = quoted(host, ":");
            place.append(host.contains(":") ? "[" + host + "]" : host);
            Value port = map.get("port");
            return Python.isTrue(port == null ? Null.NULL : port)
                    ? place.append(':').append(PythonText.str(port)).toString()
                    : place.toString();
        }

        private String part(MapValue map, String key) {
            if (!map.has(key)) {
                return "";
            }
            if (map.get(key) instanceof Text text) {
                return text.value();
            }
            throw new UnresolvedException("The \"" + key + "\" argument must be a string");
        }
    };

    private static String quotedPlus(String text) {
        return quoted(text, " /").replace(' ', '+');
    }

    /* Quotes as Python's urllib.parse.quote: keeps letters, digits, _.-~ and the safe characters. */
    private static String quoted(String text, String safe) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean stays = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "_.-~".indexOf(c) >= 0
                    || safe.indexOf(c) >= 0;
            if (stays) {
                out.append(c);
            } else {
                out.append(String.format("%%%02X", (int) c));
            }
        }
        return out.toString();
    }

    /** Joins texts, for both forms of list_join. */
    static String joined(String delimiter, List<String> texts, Scope scope) {
        long length = 0;
        for (String text : texts) {
            length += text.length() + (long) delimiter.length();
        }
        scope.budget().spendText(length);
        requireRoom(length);
        return String.join(delimiter, texts);
    }

    /** Fails if a text of this length would be too large. */
    static void requireRoom(long length) {
        if (length > 8L << 20) {
            throw ExpressionValue.tooLarge("a text would be longer than 8 MiB");
        }
    }
}
