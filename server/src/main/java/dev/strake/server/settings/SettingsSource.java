package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.text.PlainFile;
import java.io.IOException;
import java.io.LineNumberReader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A source of settings.
 *
 * @param given the values by setting name
 */
public record SettingsSource(Map<String, Given> given) {

    /**
     * A value and its origin.
     *
     * @param origin for people, for example {@code environment STRAKE_HTTP_PORT}
     */
    public record Given(String text, String origin) {}

    private static final Pattern COMMENT = Pattern.compile("\\s*[#!]");
    private static final Pattern CONTINUED = Pattern.compile("(?<!\\\\)(\\\\\\\\)*\\\\$");
    private static final String VARIABLES = "STRAKE_";

    /** Variables of the launcher, of logging, and of options without a setting. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "STRAKE_JAVA_OPTS",
            "STRAKE_CLASS_PATH",
            "STRAKE_LOG",
            "STRAKE_KAFKA_LOG",
            "STRAKE_AUDIT_LOG",
            "STRAKE_DEBUG",
            "STRAKE_CONFIG",
            "STRAKE_KAFKA_CONFIG",
            "STRAKE_URL",
            "STRAKE_TOKEN",
            "STRAKE_TOKEN_FILE",
            "STRAKE_CA_FILE",
            "STRAKE_PUBLIC_KEY_FILE",
            "STRAKE_AUTHOR",
            "STRAKE_WORKSPACE",
            "STRAKE_METRICS_PORT",
            "STRAKE_FETCH_ALLOW_HOST",
            "STRAKE_FETCH_ALLOW_PRIVATE",
            "STRAKE_FETCH_ALLOW_FILES",
            "STRAKE_GIT_USER",
            "STRAKE_GIT_PASSWORD");

    /** Variables that Kubernetes sets for services of the namespace, if one is named strake or strake-http. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "STRAKE_(\\w+_)?(SERVICE_(HOST|PORT(_\\w+)?)=.*|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.*|PORT_\\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=.*)");

    /** Returns values set by the program, for example the defaults of a command. */
    public static SettingsSource of(String origin, Map<Setting<?>, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((setting, value) -> given.put(setting.name(), new Given(value, origin)));
        return new SettingsSource(given);
    }

    /** Returns values by setting name, as from {@code --set}. */
    public static SettingsSource named(String origin, Map<String, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((name, value) -> given.put(name, new Given(value, origin)));
        return new SettingsSource(given);
    }

    /**
     * Reads a Java properties file in UTF-8. The origin of a value names its line.
     *
     * @throws UncheckedIOException if the file cannot be read
     * @throws MisconfiguredException if the file is malformed
     */
    public static SettingsSource file(Path file) {
        Map<String, Given> given = new TreeMap<>();
        try (LineNumberReader reader =
                new LineNumberReader(Files.newBufferedReader(PlainFile.of(file), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String origin = "file " + file + ", line " + reader.getLineNumber();
                Properties properties = new Properties();
                properties.load(new StringReader(withContinuations(line, reader)));
                properties
                        .stringPropertyNames()
                        .forEach(name -> given.put(name, new Given(properties.getProperty(name), origin)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new MisconfiguredException("The file " + file + " has a \\u without four hexadecimal digits.", e);
        }
        return new SettingsSource(given);
    }

    /* Properties does not report line numbers, so each line is parsed separately, with its continuation lines. */
    private static String withContinuations(String line, LineNumberReader reader) throws IOException {
        StringBuilder whole = new StringBuilder(line);
        boolean isComment = COMMENT.matcher(line).lookingAt();
        String last = line;
        while (!isComment && CONTINUED.matcher(last).find()) {
            last = reader.readLine();
            if (last == null) {
                break;
            }
            whole.append('\n').append(last);
        }
        return whole.toString();
    }

    /**
     * Reads the {@code STRAKE_*} variables of a process.
     *
     * @throws MisconfiguredException if a variable is neither a setting nor otherwise known
     */
    public static SettingsSource environment(Map<String, String> variables) {
        Map<String, Setting<?>> settings = new TreeMap<>();
        Catalogue.ALL.forEach(setting -> settings.put(setting.variable(), setting));
        Map<String, Given> given = new TreeMap<>();
        variables.forEach((variable, value) -> {
            if (SERVICE_LINK.matcher(variable + "=" + value).matches()) {
                return;
            }
            Setting<?> setting = settings.get(variable);
            if (setting != null) {
                given.put(setting.name(), new Given(value, "environment " + variable));
            } else if (variable.startsWith(VARIABLES) && !OTHER_VARIABLES.contains(variable)) {
                throw Settings.unknown(variable, "environment");
            }
        });
        return new SettingsSource(given);
    }
}
