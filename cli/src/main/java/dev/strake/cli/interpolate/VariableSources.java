package dev.strake.cli.interpolate;

import dev.strake.cli.files.PlainYaml;
import dev.strake.engine.interpolation.Variables;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sources of a command's variables. If several sources define a name, the strongest wins: single values, then
 * single files, then files of variables (the last one first), then the environment. A name with dots is a path.
 *
 * @param values {@code NAME=VALUE}: the value is YAML, but text is taken literally
 * @param textFiles {@code NAME=PATH}: the text of the file
 * @param files paths of files with a map of variables; {@code NAME=PATH} counts as a text file
 * @param prefixes of environment variables; {@code X_name} is the variable {@code name} of prefix {@code X}
 */
public record VariableSources(List<String> values, List<String> textFiles, List<String> files, List<String> prefixes) {

    /**
     * Reads all sources.
     *
     * @throws IllegalArgumentException if an argument is malformed; the message contains no value
     */
    public Variables read(PlainYaml yaml, Map<String, String> environment) throws IOException, InvalidInputException {
        Variables result = Variables.NONE;
        for (String prefix : prefixes) {
            result = result.overriddenBy(ofEnvironment(prefix, environment));
        }
        List<String> allTextFiles = new ArrayList<>(textFiles);
        for (String file : files) {
            if (isNamed(file)) {
                allTextFiles.add(file);
            } else {
                result = result.overriddenBy(ofFile(yaml, file));
            }
        }
        for (String textFile : allTextFiles) {
            String[] named = split(textFile, "--var-file", "path");
            result = result.with(named[0], new Text(yaml.text(named[1])));
        }
        for (String value : values) {
            String[] named = split(value, "--var", "value");
            result = result.with(named[0], value(named[0], named[1]));
        }
        return result;
    }

    private static boolean isNamed(String file) {
        int equals = file.indexOf('=');
        return equals > 0 && file.indexOf('/') != 0 && !Files.exists(Path.of(file));
    }

    private static String[] split(String given, String option, String what) {
        String[] named = given.split("=", 2);
        if (named.length < 2 || named[0].isEmpty() || named[1].isEmpty()) {
            String name = named.length < 2 ? "" : " of '" + named[0] + "'";
            throw new IllegalArgumentException(
                    option + name + " has to be NAME=" + what.toUpperCase(Locale.ROOT) + ", and neither may be empty.");
        }
        return named;
    }

    private static Value value(String name, String written) {
        Value value;
        try {
            value = PlainYaml.parse(written, "--var " + name).value();
        } catch (UnreadableTextException e) {
            throw new IllegalArgumentException("The value of the variable '" + name + "' cannot be read: "
                    + e.problem().message() + ".");
        }
        return value instanceof Text ? new Text(withoutQuotes(written)) : value;
    }

    private static String withoutQuotes(String text) {
        int last = text.length() - 1;
        char first = text.charAt(0);
        boolean quoted = last > 0 && (first == '"' || first == '\'') && text.charAt(last) == first;
        return quoted ? text.substring(1, last) : text;
    }

    private static MapValue ofFile(PlainYaml yaml, String path) throws IOException, InvalidInputException {
        ReadDocument read;
        try {
            read = yaml.read(path);
        } catch (UnreadableTextException e) {
            throw new InvalidInputException(e.problem());
        }
        if (read.value() instanceof Null) {
            return MapValue.EMPTY;
        }
        if (!(read.value() instanceof MapValue map)) {
            throw new InvalidInputException(Problem.of(
                            ProblemCode.INTERPOLATION_FAILED,
                            "Expected to find a map of variables but found "
                                    + read.value().kind(),
                            null)
                    .at(read.location()));
        }
        return map;
    }

    private static MapValue ofEnvironment(String prefix, Map<String, String> environment) throws InvalidInputException {
        MapValue result = MapValue.EMPTY;
        for (Map.Entry<String, String> entry : new TreeMap<>(environment).entrySet()) {
            if (entry.getKey().startsWith(prefix + "_") && entry.getKey().length() > prefix.length() + 1) {
                try {
                    Value value = PlainYaml.parse(entry.getValue(), "$" + entry.getKey())
                            .value();
                    result = result.with(entry.getKey().substring(prefix.length() + 1), value);
                } catch (UnreadableTextException e) {
                    throw new InvalidInputException(e.problem());
                }
            }
        }
        return result;
    }

    /** Omits the arguments, because they contain values. */
    @Override
    public String toString() {
        return "VariableSources[" + values.size() + " values, " + (textFiles.size() + files.size()) + " files]";
    }
}
