package dev.strake.cli.output;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.ProblemJson;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes problems in forms for CI systems: SARIF 2.1.0, which reviews show at the lines, and JUnit's XML. */
public final class ProblemReport {

    private final List<Problem> errors;
    private final List<Problem> warnings;

    public ProblemReport(List<Problem> errors, List<Problem> warnings) {
        this.errors = List.copyOf(errors);
        this.warnings = List.copyOf(warnings);
    }

    /** Describes a problem of a running Strake in one line, beginning with the document's origin if known. */
    public static String describe(MapValue problem) {
        String origin = problem.get("origin") instanceof Text text ? Location.inOneLine(text.value()) + ": " : "";
        return origin + ProblemJson.read(problem).describe();
    }

    /** Returns a line for each problem to correct, followed by a line about what waits for that. */
    public static List<String> causes(List<Problem> problems) {
        List<String> lines = new ArrayList<>();
        for (ProblemCause cause : ProblemCause.of(problems)) {
            lines.add(cause.problem().describe());
            cause.describeWaiting().ifPresent(waiting -> lines.add("  " + waiting));
        }
        return lines;
    }

    /** Writes a SARIF log with one run. */
    public void printSarif(PrintWriter out) {
        List<Value> results = new ArrayList<>();
        errors.forEach(problem -> results.add(result(problem, "error")));
        warnings.forEach(problem -> results.add(result(problem, "warning")));
        MapValue driver = MapValue.builder().put("name", "strake").build();
        MapValue run = MapValue.builder()
                .put("tool", MapValue.of("driver", driver))
                .put("columnKind", "utf16CodeUnits")
                .put("results", ListValue.of(results))
                .build();
        JsonOutput.printLine(
                out,
                MapValue.builder()
                        .put("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
                        .put("version", "2.1.0")
                        .put("runs", ListValue.of(run))
                        .build());
    }

    private static MapValue result(Problem problem, String level) {
        MapValue.Builder result = MapValue.builder()
                .put("ruleId", problem.code().code())
                .put("level", level)
                .put("message", MapValue.of("text", withoutPlace(problem)));
        if (problem.location() != null) {
            MapValue place = MapValue.builder()
                    .put(
                            "artifactLocation",
                            MapValue.of("uri", uri(problem.location().source())))
                    .put("region", region(problem.location()))
                    .build();
            result.put("locations", ListValue.of(MapValue.of("physicalLocation", place)));
        }
        return result.build();
    }

    /* Returns a file name as a relative reference (RFC 3986), where a first part with a colon would be a scheme. */
    private static String uri(String file) {
        boolean isLikeScheme = file.substring(0, (file + "/").indexOf('/')).indexOf(':') >= 0;
        try {
            return new URI(null, null, isLikeScheme ? "./" + file : file, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a path of a file always makes a reference: " + file, e);
        }
    }

    private static MapValue region(Location location) {
        MapValue region = MapValue.of("startLine", location.line());
        return location.column() == 0 ? region : region.with("startColumn", location.column());
    }

    /**
     * Writes a suite with a test case for each problem. If there is none, one test case passes.
     *
     * @param name the name of the suite
     */
    public void printJunit(PrintWriter out, String name) {
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", name);
            xml.writeAttribute("tests", Integer.toString(Math.max(1, errors.size())));
            xml.writeAttribute("failures", Integer.toString(errors.size()));
            if (errors.isEmpty()) {
                beginCase(xml, name, "documents are in order");
                xml.writeEndElement();
            }
            for (Problem problem : errors) {
                String place = problem.location() == null
                        ? "the documents as a whole"
                        : problem.location().toString();
                beginCase(xml, name, place + " " + problem.code().code());
                if (problem.location() != null) {
                    xml.writeAttribute("file", printable(problem.location().source()));
                    xml.writeAttribute(
                            "line", Integer.toString(problem.location().line()));
                }
                xml.writeStartElement("failure");
                xml.writeAttribute("type", problem.code().code());
                xml.writeAttribute("message", printable(problem.message()));
                xml.writeCharacters(printable(problem.describe()));
                xml.writeEndElement();
                xml.writeEndElement();
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.flush();
            out.println();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a report could not be written", e);
        }
    }

    private static void beginCase(XMLStreamWriter xml, String suite, String name) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", suite);
        xml.writeAttribute("name", printable(name));
    }

    /* Replaces characters that XML cannot represent. */
    private static String printable(String text) {
        return text.codePoints()
                .map(each -> isPrintable(each) ? each : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isPrintable(int character) {
        boolean isControl = character < ' ' && character != '\t' && character != '\n' && character != '\r';
        boolean isHalf = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        return !isControl && !isHalf && character != 0xFFFE && character != 0xFFFF;
    }

    private static String withoutPlace(Problem problem) {
        String text = problem.describe();
        String place = problem.location() + ": ";
        return text.startsWith(place) ? text.substring(place.length()) : text;
    }
}
