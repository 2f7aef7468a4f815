package dev.strake.heat.function;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A version of the Heat orchestration template language, oldest first. */
public enum HotVersion {
    V2013_05_23("2013-05-23", null),
    V2014_10_16("2014-10-16", null),
    V2015_04_30("2015-04-30", null),
    V2015_10_15("2015-10-15", null),
    V2016_04_08("2016-04-08", null),
    NEWTON("2016-10-14", "newton"),
    OCATA("2017-02-24", "ocata"),
    PIKE("2017-09-01", "pike"),
    QUEENS("2018-03-02", "queens"),
    ROCKY("2018-08-31", "rocky"),
    WALLABY("2021-04-16", "wallaby");

    public static final String KEY = "heat_template_version";

    private final String date;
    private final String name;

    HotVersion(String date, String name) {
        this.date = date;
        this.name = name;
    }

    /**
     * Returns the version of a template.
     *
     * @throws FaultException if the version is missing or unknown
     */
    public static HotVersion of(MapValue template) {
        Value written = template.get(KEY);
        if (written == null) {
            throw new FaultException(Fault.raised(
                    FaultCode.TEMPLATE_VERSION_MISSING,
                    "InvalidTemplateVersion",
                    "Template format version not found."));
        }
        String text = PythonText.str(written);
        for (HotVersion version : values()) {
            if (text.equals(version.date) || text.equals(version.name)) {
                return version;
            }
        }
        String known = Stream.concat(
                        Arrays.stream(values()).map(version -> version.date),
                        Arrays.stream(values()).map(version -> version.name).filter(each -> each != null))
                .sorted()
                .collect(Collectors.joining(", "));
        throw new FaultException(Fault.raised(
                FaultCode.TEMPLATE_VERSION,
                "InvalidTemplateVersion",
                "The template version is invalid: \"" + KEY + ": " + text + "\". \"" + KEY + "\" should be one of: "
                        + known));
    }

    public boolean isFrom(HotVersion first) {
        return compareTo(first) >= 0;
    }

    public boolean isBefore(HotVersion first) {
        return compareTo(first) < 0;
    }
}
