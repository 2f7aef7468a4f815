package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.SettingsSource.Given;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all settings, and where each was given. The most specific source wins:
 *
 * <pre>
 *  option  &gt;  environment STRAKE_*  &gt;  file  &gt;  default
 * </pre>
 *
 * <p>None of these is secret; connection settings are in {@link dev.strake.server.kafka.KafkaSettings}.
 */
public final class Settings {

    /** The origin of a default value. */
    private static final String DEFAULT = "default";

    private final Map<Setting<?>, Given> given;
    private final Map<Setting<?>, Object> values;

    private Settings(Map<Setting<?>, Given> given, Map<Setting<?>, Object> values) {
        this.given = given;
        this.values = values;
    }

    public static Settings defaults() {
        return of(List.of());
    }

    /**
     * Merges the settings of several sources.
     *
     * @param sources the most specific one last
     * @throws MisconfiguredException if a name is unknown or a value invalid; to ignore a name would leave a limit
     *     unset that the operator believes to be set
     */
    public static Settings of(List<SettingsSource> sources) {
        Map<String, Given> all = new HashMap<>();
        sources.forEach(source -> all.putAll(source.given()));
        Map<Setting<?>, Given> given = new LinkedHashMap<>();
        Map<Setting<?>, Object> values = new HashMap<>();
        for (Setting<?> setting : Catalogue.ALL) {
            Given value = all.remove(setting.name());
            if (value == null) {
                value = new Given(setting.defaultValue(), DEFAULT);
            }
            given.put(setting, value);
            values.put(setting, setting.read(value.text(), value.origin()));
        }
        all.forEach((name, value) -> {
            throw unknown(name, value.origin());
        });
        return new Settings(given, values);
    }

    /** Returns these settings, overridden by a more specific source. */
    public Settings with(SettingsSource source) {
        Map<String, Given> before = new LinkedHashMap<>();
        given.forEach((setting, value) -> {
            if (!value.origin().equals(DEFAULT)) {
                before.put(setting.name(), value);
            }
        });
        return of(List.of(new SettingsSource(before), source));
    }

    /** Returns these settings with one value that the program itself sets. */
    public Settings with(Setting<?> setting, Object value) {
        return with(SettingsSource.of("set by the program", Map.of(setting, value.toString())));
    }

    @SuppressWarnings("unchecked") // the value was parsed by the setting's own type
    public <T> T get(Setting<T> setting) {
        return (T) values.get(setting);
    }

    /** Returns all values and their origins, in the order of the catalogue. */
    public Map<String, Given> effective() {
        Map<String, Given> all = new LinkedHashMap<>();
        given.forEach((setting, value) -> all.put(setting.name(), value));
        return all;
    }

    static MisconfiguredException unknown(String name, String origin) {
        return new MisconfiguredException(
                "There is no setting %s (%s). 'strake config list' lists all.".formatted(name, origin));
    }
}
