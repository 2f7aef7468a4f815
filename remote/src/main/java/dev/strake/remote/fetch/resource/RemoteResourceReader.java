package dev.strake.remote.fetch.resource;

import dev.strake.client.RemoteBucket;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.remote.object.ObjectIdentity;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.rendered.RenderedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads documents {@code razee/RemoteResource/v1alpha2}: the {@code spec} of Razee's RemoteResource, with additional
 * members ({@code bucket}, {@code interval}, {@code maxRemovals}, {@code confirm}, {@code sha256}). The data may also
 * be the whole Kubernetes object. Unknown members are rejected, although Razee ignores them.
 */
public final class RemoteResourceReader {

    private static final Set<String> SPEC = Set.of(
            "requests",
            "backendService",
            "auth",
            "clusterAuth",
            "bucket",
            "interval",
            "maxRemovals",
            "confirm",
            "region");
    private static final Pattern INTERVAL = Pattern.compile("([0-9]{1,6})(s|m|h)?");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final int MOST_REQUESTS = 100;

    private final RenderedRecord record;

    private RemoteResourceReader(RenderedRecord record) {
        this.record = record;
    }

    /**
     * Reads the record of a document with this schema.
     *
     * @throws FetchException if the document is invalid; the message names the place
     */
    public static RemoteResource read(RenderedRecord record) throws FetchException {
        return new RemoteResourceReader(record).read();
    }

    private RemoteResource read() throws FetchException {
        MapValue document = record.document().orElseThrow();
        Value data = document.has("data") ? document.get("data") : MapValue.EMPTY;
        if (record.isEncrypted()) {
            throw Fields.wrong(
                    ".data",
                    "is sealed: this installation publishes secrets encrypted, and this fetcher has no key to decrypt them (--secrets-keyset)");
        }
        Place masked = Redaction.maskIn(data);
        if (masked != null) {
            throw Fields.wrong(
                    masked.toString(),
                    "is masked: this installation publishes secrets redacted, and a mask is never sent");
        }
        Fields top = Fields.of(data, "");
        Fields spec = (top.has("apiVersion") && top.has("spec") ? top.fields("spec") : top).only(SPEC);
        if (!spec.has("requests")) {
            throw Fields.wrong(spec.at("requests"), "is missing");
        }
        RemoteResource.Backend backend = backend(spec);
        List<FetchRequest> requests = new ArrayList<>();
        ListValue list = spec.list("requests");
        if (list.size() > MOST_REQUESTS) {
            throw Fields.wrong(spec.at("requests"), "has more than " + MOST_REQUESTS + " requests");
        }
        for (int i = 0; i < list.size(); i++) {
            requests.add(request(Fields.of(list.get(i), spec.at("requests") + "[" + i + "]"), backend));
        }
        Optional<Fields> clusterAuth = spec.optionalFields("clusterAuth");
        if (clusterAuth.isPresent()) {
            clusterAuth.get().only(Set.of("impersonateUser")).optionalText("impersonateUser"); // read by the applier
        }
        Optional<Fields> auth = backend == RemoteResource.Backend.S3 ? spec.optionalFields("auth") : Optional.empty();
        return new RemoteResource(
                record.key(),
                record.headers().layer(),
                bucket(spec),
                new RemoteResource.From(
                        backend,
                        auth.isPresent() ? Optional.of(auth(auth.get())) : Optional.empty(),
                        spec.optionalText("region"),
                        List.copyOf(requests)),
                interval(spec),
                new RemoteResource.Removals(
                        maxRemovals(spec),
                        spec.optionalText("confirm"),
                        Reconcile.ofLabels(document.map("metadata").map("labels"))
                                .orElse(Reconcile.TRUE)));
    }

    private static RemoteResource.Backend backend(Fields spec) throws FetchException {
        String text = spec.optionalText("backendService").orElse("generic");
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "generic" -> RemoteResource.Backend.GENERIC;
            case "s3" -> RemoteResource.Backend.S3;
            case "git" -> RemoteResource.Backend.GIT;
            default -> throw Fields.wrong(spec.at("backendService"), "has to be generic, s3 or git");
        };
    }

    private String bucket(Fields spec) throws FetchException {
        Optional<String> given = spec.optionalText("bucket");
        if (given.isPresent()) {
            if (!WorkspaceKey.isName(given.get())) {
                throw Fields.wrong(spec.at("bucket"), "has to have " + WorkspaceKey.RULE);
            }
            return given.get();
        }
        return RemoteBucket.of(record.key().document().name());
    }

    private static Optional<Duration> interval(Fields spec) throws FetchException {
        Optional<String> text = spec.optionalText("interval");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Duration interval = duration(text.get());
        if (interval == null || interval.compareTo(SHORTEST) < 0) {
            throw Fields.wrong(spec.at("interval"), "has to be a time of one second or more, such as 30s, 5m or 1h");
        }
        return Optional.of(interval);
    }

    /** Parses a duration such as 30s, 5m or 1h, in seconds without a unit. Returns null if it is invalid. */
    static Duration duration(String text) {
        Matcher matcher = INTERVAL.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofSeconds(number);
        };
    }

    private static RemovalLimit maxRemovals(Fields spec) throws FetchException {
        Optional<String> text = spec.optionalText("maxRemovals");
        try {
            return text.isPresent() ? RemovalLimit.parse(text.get()) : RemovalLimit.GUARD;
        } catch (IllegalArgumentException e) {
            throw Fields.wrong(spec.at("maxRemovals"), "has to be " + RemovalLimit.RULE);
        }
    }

    private FetchRequest request(Fields request, RemoteResource.Backend backend) throws FetchException {
        request.only(Set.of("optional", "options", "sha256"));
        Fields options =
                request.fields("options").only(Set.of("url", "uri", "git", "headers", "headersFrom", "sha256"));
        Optional<String> pin = request.optionalText("sha256");
        pin = pin.isPresent() ? pin : options.optionalText("sha256");
        if (pin.isPresent() && !SHA256.matcher(pin.get()).matches()) {
            throw Fields.wrong(request.at("sha256"), "has to be 64 hexadecimal digits");
        }
        String place = options.one("url", "uri", "git");
        if (place.equals("git") != (backend == RemoteResource.Backend.GIT)) {
            throw Fields.wrong(
                    options.at(place),
                    place.equals("git") ? "needs backendService: git" : "does not go with backendService: git");
        }
        Optional<Address> url = Optional.empty();
        Optional<RepositoryFiles> git = Optional.empty();
        if (place.equals("git")) {
            git = Optional.of(RepositoryFiles.read(options.fields("git")));
        } else {
            url = Optional.of(address(options, place));
        }
        return new FetchRequest(
                request.flag("optional"),
                pin.map(text -> text.toLowerCase(Locale.ROOT)),
                url,
                git,
                headers(options),
                headersFrom(options));
    }

    private static Address address(Fields options, String key) throws FetchException {
        try {
            Address address = Address.of(options.text(key));
            if (!Set.of("http", "https").contains(address.scheme())) {
                throw Fields.wrong(options.at(key), "has to begin with http:// or https://");
            }
            return address;
        } catch (FetchException e) {
            throw e.getMessage().startsWith(".") ? e : Fields.wrong(options.at(key) + ":", e.getMessage());
        }
    }

    private static Map<String, HeaderValue> headers(Fields options) throws FetchException {
        Map<String, HeaderValue> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Optional<Fields> given = options.optionalFields("headers");
        if (given.isEmpty()) {
            return headers;
        }
        for (String name : given.get().map().keys()) {
            Value value = given.get().map().get(name);
            String at = given.get().at(name);
            if (!HEADER.matcher(name).matches()) {
                throw Fields.wrong(given.get().at(), "has a name that no header can have");
            }
            if (!given.get().has(name) || isConditional(name)) {
                continue; // the fetcher sets conditions itself
            }
            if (value instanceof Text text && hasControls(text.value())) {
                throw Fields.wrong(at, "has a control character");
            }
            headers.put(name, value instanceof MapValue ? secret(given.get().fields(name)) : given(value, at));
        }
        return new LinkedHashMap<>(headers);
    }

    static boolean hasControls(String header) {
        return header.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
    }

    /** Whether a header makes a request conditional. The fetcher sets these headers itself. */
    static boolean isConditional(String header) {
        return header.equalsIgnoreCase("If-Modified-Since") || header.equalsIgnoreCase("If-None-Match");
    }

    private static HeaderValue given(Value value, String at) throws FetchException {
        String text = value instanceof Text given
                ? given.value()
                : value instanceof Num number
                        ? number.literal()
                        : value instanceof Bool flag ? Boolean.toString(flag.value()) : null;
        if (text == null) {
            throw Fields.wrong(at, "has to be a text, or valueFrom.secretKeyRef");
        }
        return new HeaderValue.Given(new Hidden(text));
    }

    /* {valueFrom: {secretKeyRef: {name, key, namespace}}} */
    private static HeaderValue secret(Fields value) throws FetchException {
        Fields from = value.only(Set.of("valueFrom")).fields("valueFrom");
        Fields reference = from.only(Set.of("secretKeyRef")).fields("secretKeyRef");
        reference.only(Set.of("name", "key", "namespace"));
        return new HeaderValue.FromSecret(mapReference(reference, "v1", "Secret", false), reference.text("key"));
    }

    private static List<MapReference> headersFrom(Fields options) throws FetchException {
        List<MapReference> all = new ArrayList<>();
        ListValue list = options.list("headersFrom");
        for (int i = 0; i < list.size(); i++) {
            Fields entry = Fields.of(list.get(i), options.at("headersFrom") + "[" + i + "]");
            entry.only(Set.of("configMapRef", "secretMapRef", "genericMapRef", "optional"));
            String kind = entry.one("configMapRef", "secretMapRef", "genericMapRef");
            Fields reference = entry.fields(kind);
            boolean isGeneric = kind.equals("genericMapRef");
            reference.only(isGeneric ? Set.of("apiVersion", "kind", "name", "namespace") : Set.of("name", "namespace"));
            boolean optional = entry.flag("optional");
            all.add(
                    isGeneric
                            ? mapReference(reference, reference.text("apiVersion"), reference.text("kind"), optional)
                            : mapReference(
                                    reference, "v1", kind.equals("secretMapRef") ? "Secret" : "ConfigMap", optional));
        }
        return all;
    }

    private static MapReference mapReference(Fields reference, String apiVersion, String kind, boolean optional)
            throws FetchException {
        String namespace = reference.optionalText("namespace").orElse("");
        return new MapReference(
                ObjectDocument.key(ObjectIdentity.of(apiVersion, kind, namespace, reference.text("name"))),
                kind.equals("Secret") && !apiVersion.contains("/"),
                optional);
    }

    private static Auth auth(Fields auth) throws FetchException {
        auth.only(Set.of("hmac", "iam"));
        if (auth.one("hmac", "iam").equals("hmac")) {
            Fields hmac = auth.fields("hmac")
                    .only(Set.of("accessKeyId", "accessKeyIdRef", "secretAccessKey", "secretAccessKeyRef"));
            return new Auth.Hmac(key(hmac, "accessKeyId"), key(hmac, "secretAccessKey"));
        }
        Fields iam = auth.fields("iam").only(Set.of("url", "grantType", "apiKey", "apiKeyRef"));
        return new Auth.Iam(address(iam, "url"), iam.text("grantType"), key(iam, "apiKey"));
    }

    private static HeaderValue key(Fields auth, String name) throws FetchException {
        return auth.one(name, name + "Ref").equals(name)
                ? new HeaderValue.Given(new Hidden(auth.text(name)))
                : secret(auth.fields(name + "Ref"));
    }
}
