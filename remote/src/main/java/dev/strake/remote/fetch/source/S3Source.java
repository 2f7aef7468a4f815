package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.resource.Auth;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Objects and folders of any host with the S3 protocol. The signer of the AWS SDK signs requests (version 4), and
 * {@link HttpSource} sends them, so that its policy applies.
 *
 * <pre>
 *  https://s3.example.org/bucket/site/a.yaml      one object
 *  https://s3.example.org/bucket/site/            a folder: all keys that begin with site/, page by page
 *  https://bucket.s3.example.org/site/            the same, as in Razee: the first label of a host is the bucket, unless
 *                                                 the host begins with s3. or is an address or a single word
 * </pre>
 */
public final class S3Source implements ContentSource {

    private static final int MOST_PAGES = 1_000;
    private static final String DEFAULT_REGION = "us-east-1";
    private static final long EARLY_SECONDS = 120;
    private static final Pattern REGION =
            Pattern.compile("(?:^|.*\\.)s3[.-](?:dualstack\\.)?([a-z0-9-]+)\\.amazonaws\\.com(?:\\.cn)?");

    private final HttpSource http;
    private final Clock clock;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final Map<String, Token> tokens = new ConcurrentHashMap<>();

    private record Token(Hidden text, long expires) {}

    /** An entry of a listing. */
    private record Entry(String key, String etag) {}

    public S3Source(HttpSource http, Clock clock) {
        this.http = http;
        this.clock = clock;
    }

    @Override
    public Fetched fetch(Question question) throws FetchException {
        Address address = question.request().url().orElseThrow();
        Map<String, Hidden> sent = new HashMap<>(question.headers());
        Map<String, Hidden> marks = new HashMap<>();
        HttpSource.Signing signing = HttpSource.Signing.NONE;
        RemoteResource.From from = question.resource().from();
        if (from.auth().orElse(null) instanceof Auth.Hmac hmac) {
            Hidden id = question.references().value(hmac.accessKeyId());
            Hidden secret = question.references().value(hmac.secretAccessKey());
            String region = from.region().orElseGet(() -> region(address));
            marks.put("key", new Hidden(id.text() + "\n" + secret.text() + "\n" + region));
            signing = where -> sign(where, id, secret, region);
        } else if (from.auth().orElse(null) instanceof Auth.Iam iam) {
            Hidden token = token(iam, question.references());
            sent.put("Authorization", new Hidden("bearer " + token.text()));
        }
        if (address.uri().getRawPath().endsWith("/")) {
            return folder(address, sent, marks, signing, question.since());
        }
        HttpAnswer answer = http.get(address, sent, marks, signing, question.since());
        return new Fetched(
                address.toString(), answer.revision(), 0, List.of(new Fetched.File(address.toString(), answer.body())));
    }

    static String region(Address address) {
        Matcher matcher = REGION.matcher(address.host());
        return matcher.matches() ? matcher.group(1) : DEFAULT_REGION;
    }

    private Map<String, Hidden> sign(Address address, Hidden id, Hidden secret, String region) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(address.uri())
                .build();
        SignedRequest signed =
                signer.sign(sign -> sign.identity(AwsCredentialsIdentity.create(id.text(), secret.text()))
                        .request(request)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true));
        Map<String, Hidden> headers = new HashMap<>();
        signed.request().headers().forEach((name, values) -> headers.put(name, new Hidden(values.get(0))));
        return headers;
    }

    private Fetched folder(
            Address address,
            Map<String, Hidden> headers,
            Map<String, Hidden> marks,
            HttpSource.Signing signing,
            long since)
            throws FetchException {
        Folder folder = Folder.of(address);
        List<Entry> entries = new ArrayList<>();
        String token = "";
        for (int page = 0; ; page++) {
            if (page == MOST_PAGES) {
                throw new FetchException(Code.TOO_LARGE, address + ": has more than " + MOST_PAGES + " pages of keys");
            }
            HttpAnswer answer = http.get(folder.listing(token), headers, marks, signing, since);
            Element list = xml(answer.body(), address);
            entries.addAll(entries(list, address));
            String next = text(list, "NextContinuationToken");
            if (!"true".equals(text(list, "IsTruncated"))) {
                break;
            }
            if (next.isEmpty() || next.equals(token)) {
                throw new FetchException(Code.ANSWER, address + ": the listing is cut off and does not go on");
            }
            token = next;
        }
        if (entries.isEmpty()) {
            throw new FetchException(Code.ANSWER, address + ": there is no object with this prefix");
        }
        List<Fetched.File> files = new ArrayList<>();
        StringBuilder versions = new StringBuilder();
        for (Entry entry : entries) {
            Address object = folder.object(entry.key());
            Map<String, Hidden> version = new HashMap<>(marks);
            version.put("version", new Hidden(entry.etag()));
            // an ETag identifies the content, so a cached answer never expires
            long once = entry.etag().isEmpty() ? since : System.nanoTime() - (Long.MAX_VALUE >> 1);
            HttpAnswer answer = http.get(object, headers, version, signing, once);
            files.add(new Fetched.File(object.toString(), answer.body()));
            versions.append(entry.key()).append('\n').append(answer.revision()).append('\n');
        }
        String revision = "sha256:" + Hasher.hex(versions.toString());
        return new Fetched(address.toString(), revision, 0, files);
    }

    /**
     * A folder of a bucket. Its objects are requested in path style, as Razee does.
     *
     * @param base the scheme, host and port
     */
    record Folder(String base, String bucket, String prefix) {

        static Folder of(Address address) throws FetchException {
            URI uri = address.uri();
            String host = address.host();
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            String path = uri.getPath().substring(1);
            boolean isPathStyle = host.startsWith("s3.")
                    || host.startsWith("s3-")
                    || !host.contains(".")
                    || host.matches("[0-9.]+")
                    || host.contains(":");
            if (!isPathStyle) {
                int dot = host.indexOf('.');
                return new Folder(
                        address.scheme() + "://" + host.substring(dot + 1) + port, host.substring(0, dot), path);
            }
            int slash = path.indexOf('/');
            if (slash <= 0) {
                throw new FetchException(Code.INVALID_RESOURCE, address + " names no bucket");
            }
            return new Folder(
                    address.scheme() + "://" + uri.getHost() + port,
                    path.substring(0, slash),
                    path.substring(slash + 1));
        }

        Address listing(String token) throws FetchException {
            String more = token.isEmpty() ? "" : "continuation-token=" + encoded(token) + "&";
            return Address.of(base + "/" + bucket + "?" + more + "list-type=2&prefix=" + encoded(prefix));
        }

        Address object(String key) throws FetchException {
            return Address.of(base + "/" + bucket + "/" + encoded(key).replace("%2F", "/"));
        }

        /* Encodes as signatures require: all but letters, digits, - . _ ~ */
        private static String encoded(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8)
                    .replace("+", "%20")
                    .replace("*", "%2A")
                    .replace("%7E", "~");
        }
    }

    private static Element xml(byte[] body, Address address) throws FetchException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setNamespaceAware(true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null); // errors are thrown, not printed
            Element root = builder.parse(new ByteArrayInputStream(body)).getDocumentElement();
            if (!root.getLocalName().equals("ListBucketResult")) {
                throw new FetchException(Code.ANSWER, address + ": answers with no listing of S3");
            }
            return root;
        } catch (SAXException | IOException e) {
            throw new FetchException(Code.ANSWER, address + ": answers with no listing of S3");
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("every JDK reads XML", e);
        }
    }

    private static List<Entry> entries(Element list, Address address) throws FetchException {
        List<Entry> entries = new ArrayList<>();
        NodeList contents = list.getElementsByTagNameNS("*", "Contents");
        for (int i = 0; i < contents.getLength(); i++) {
            Element one = (Element) contents.item(i);
            String key = text(one, "Key");
            if (key.isEmpty()) {
                throw new FetchException(Code.ANSWER, address + ": the listing has an entry without a key");
            }
            if (!key.endsWith("/")) { // entries with a slash are folders made by consoles, without content
                entries.add(new Entry(key, text(one, "ETag")));
            }
        }
        return entries;
    }

    private static String text(Element parent, String name) {
        for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (name.equals(child.getLocalName())) {
                return child.getTextContent();
            }
        }
        return "";
    }

    /* Sends the API key in the body, because URLs are often logged. */
    private Hidden token(Auth.Iam iam, ReferencedValues references) throws FetchException {
        Hidden key = references.value(iam.apiKey());
        String question = Hasher.hex(iam.url().uri() + "\n" + iam.grantType() + "\n" + key.text());
        Token known = tokens.get(question);
        long now = clock.instant().getEpochSecond();
        if (known != null && known.expires() - EARLY_SECONDS > now) {
            return known.text();
        }
        String form = "grant_type=" + URLEncoder.encode(iam.grantType(), StandardCharsets.UTF_8) + "&apikey="
                + URLEncoder.encode(key.text(), StandardCharsets.UTF_8);
        Token token = token(http.post(iam.url(), form), iam.url())
                .orElseThrow(() -> new FetchException(Code.ANSWER, iam.url() + ": answers with no token"));
        tokens.put(question, token);
        return token.text();
    }

    private static Optional<Token> token(HttpAnswer answer, Address address) throws FetchException {
        try {
            return JsonReader.read(answer.body()) instanceof MapValue map
                            && !map.text("access_token").isEmpty()
                            && map.get("expiration") instanceof Num expires
                    ? Optional.of(new Token(
                            new Hidden(map.text("access_token")),
                            expires.decimal().longValue()))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new FetchException(Code.ANSWER, address + ": answers with no JSON");
        }
    }
}
