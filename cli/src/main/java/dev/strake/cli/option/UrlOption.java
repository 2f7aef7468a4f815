package dev.strake.cli.option;

import dev.strake.cli.terminal.Terminal;
import dev.strake.client.RevisionName;
import dev.strake.client.StateClient;
import dev.strake.client.StateClient.Parameter;
import dev.strake.client.tls.TrustedCertificates;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.PlainFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** The address of the Strake that a command uses, and the token. */
public final class UrlOption {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** Tokens are not longer, not even those of external issuers. */
    private static final int MOST_BYTES = 16 << 10;

    private static final Pattern TOKEN = Pattern.compile("[!-~]{1," + MOST_BYTES + "}");

    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--url",
            paramLabel = "URL",
            converter = Address.class,
            defaultValue = "${env:STRAKE_URL:-http://127.0.0.1:8080}",
            description = "The address of Strake. Default: STRAKE_URL of the environment, or http://127.0.0.1:8080")
    private URI url;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "The token to authenticate with. Other users of this machine can see it here: prefer STRAKE_TOKEN "
                            + "or --token-file.")
    private Optional<String> token = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "A file with the token. Default: STRAKE_TOKEN_FILE of the environment, if STRAKE_TOKEN is not set")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificates (PEM) of the authorities to trust for https. Default: STRAKE_CA_FILE of the "
                    + "environment, or those that Java trusts")
    private Optional<Path> caFile = Optional.empty();

    /** Whether the command names a service, which replaces Kafka then. */
    public boolean isGiven() {
        return command.commandLine().getParseResult().hasMatchedOption("--url");
    }

    public StateClient client() {
        return client(TIMEOUT);
    }

    public StateClient client(Duration timeout) {
        return new StateClient(url, timeout, token(System.getenv()), trusted(System.getenv()));
    }

    private Optional<SSLContext> trusted(Map<String, String> environment) {
        Optional<Path> file =
                caFile.or(() -> given(environment, "STRAKE_CA_FILE").map(Path::of));
        return "http".equals(url.getScheme()) ? Optional.empty() : file.map(TrustedCertificates::context);
    }

    /** Returns the answer of a running Strake to a query about a workspace. */
    public MapValue ask(String workspace, String path, List<Parameter> parameters)
            throws StateClient.NotFoundException, InterruptedException {
        String question = parameters.stream()
                .map(each -> each.name() + "=" + URLEncoder.encode(each.value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return client().ask(workspace, path + "?" + question);
    }

    /**
     * Returns the number of a named revision. Looks up tags in a running Strake, and prints their number.
     *
     * @throws ParameterException if the text cannot name a revision
     */
    public long revision(String workspace, String text, Terminal terminal)
            throws StateClient.NotFoundException, InterruptedException {
        RevisionName name;
        try {
            name = new RevisionName(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage());
        }
        if (name.number().isPresent()) {
            return name.number().getAsLong();
        }
        long number = client().revision(workspace, text);
        terminal.say("strake: %s is revision %d.".formatted(text, number));
        return number;
    }

    /* The command line has precedence over the environment. */
    private Optional<String> token(Map<String, String> environment) {
        if (token.isPresent()) {
            return Optional.of(checked(token.get(), "--token"));
        }
        if (tokenFile.isPresent()) {
            return Optional.of(read(tokenFile.get()));
        }
        Optional<String> variable = given(environment, "STRAKE_TOKEN");
        return variable.isPresent()
                ? variable.map(text -> checked(text, "STRAKE_TOKEN"))
                : given(environment, "STRAKE_TOKEN_FILE").map(file -> read(Path.of(file)));
    }

    private static Optional<String> given(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable)).filter(text -> !text.isBlank());
    }

    private String read(Path file) {
        try (InputStream in = Files.newInputStream(PlainFile.of(file))) {
            // One byte more than the limit, because a truncated token would be a different token.
            return checked(new String(in.readNBytes(MOST_BYTES + 1), StandardCharsets.UTF_8), file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /* Checked here, because HTTP's own message would quote the token. */
    private String checked(String text, String origin) {
        String stripped = text.strip();
        if (!TOKEN.matcher(stripped).matches()) {
            throw new ParameterException(
                    command.commandLine(),
                    origin + " has no valid token: a token is one word of at most 16 KiB of printable ASCII.");
        }
        return stripped;
    }

    /** An address for HTTP requests. */
    public static final class Address implements ITypeConverter<URI> {

        @Override
        public URI convert(String given) {
            try {
                URI address = new URI(given);
                if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                        && address.getHost() != null) {
                    return address;
                }
            } catch (URISyntaxException e) {
                // reported below, like an address without a host
            }
            throw new TypeConversionException(
                    "'" + given
                            + "' is not an address: write http://HOST:PORT, as in http://127.0.0.1:8080 (check STRAKE_URL, too)");
        }
    }
}
