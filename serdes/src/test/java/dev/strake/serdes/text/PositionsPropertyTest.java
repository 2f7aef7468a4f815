package dev.strake.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Location;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The recorded location of a path is where a random text has it. The text's writer notes each location. */
class PositionsPropertyTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 3_000);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20260131L);

    private final DocumentReader reader = new DocumentReader(Limits.DEFAULT).rememberingLines();

    @Test
    void shouldLocateEachPathOfYaml() {
        for (int i = 0; i < CASES; i++) {
            check(Written.yaml(new SplittableRandom(SEED + i)), TextFormat.YAML);
        }
    }

    @Test
    void shouldLocateEachPathOfJson() {
        for (int i = 0; i < CASES; i++) {
            check(Written.json(new SplittableRandom(SEED + i)), TextFormat.JSON);
        }
    }

    private void check(Written written, TextFormat format) {
        List<ReadDocument> read;
        try {
            read = reader.readDocuments(written.text().getBytes(StandardCharsets.UTF_8), format, "f");
        } catch (UnreadableTextException e) {
            throw new AssertionError(written.text(), e);
        }
        assertThat(read).hasSameSizeAs(written.documents);
        for (int i = 0; i < read.size(); i++) {
            Map<String, Location> places = written.documents.get(i);
            ReadDocument document = read.get(i);
            assertThat(document.location()).as(written.text()).isEqualTo(places.get(""));
            places.forEach((path, place) -> assertThat(document.locate(path))
                    .as("%s in%n%s", path, written.text())
                    .isEqualTo(place));
        }
    }

    /** A text and the location of each path: the key for a member of a mapping, the value for an item. */
    private static final class Written {

        private static final List<String> KEYS = List.of("a", "b", "key", "zwölf", "x-y", "long_name");
        private static final List<String> SCALARS =
                List.of("1", "0.5", "true", "null", "\"é \uD83D\uDE00\"", "\"q \\\" q\"", "-3");

        private final SplittableRandom random;
        private final boolean isYaml;
        private final StringBuilder text = new StringBuilder();
        private final List<Map<String, Location>> documents = new ArrayList<>();
        private final List<String> anchors = new ArrayList<>();
        private int lastAnchor;

        private Written(SplittableRandom random, boolean isYaml) {
            this.random = random;
            this.isYaml = isYaml;
        }

        static Written yaml(SplittableRandom random) {
            Written written = new Written(random, true);
            for (int i = random.nextInt(3); i >= 0; i--) {
                written.anchors.clear();
                written.documents.add(new HashMap<>());
                written.noise(0);
                if (written.happens(5)) {
                    written.flow("", 0);
                    written.text.append('\n');
                } else {
                    written.block("", 0, 0);
                }
                written.noise(0);
                written.text.append(i > 0 ? "---\n" : "");
            }
            return written;
        }

        static Written json(SplittableRandom random) {
            Written written = new Written(random, false);
            written.documents.add(new HashMap<>());
            written.space();
            written.flowMap("", 0);
            written.space();
            return written;
        }

        String text() {
            return text.toString();
        }

        private boolean happens(int oneIn) {
            return random.nextInt(oneIn) == 0;
        }

        private void note(String path) {
            int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
            int begin = text.lastIndexOf("\n") + 1;
            documents.get(documents.size() - 1).put(path, new Location("f", line, text.length() - begin + 1));
        }

        /* A path inside an aliased or merged value has the location of the value that refers to it. */
        private void noteBelow(String path, String above) {
            Map<String, Location> places = documents.get(documents.size() - 1);
            places.put(path, places.get(above));
        }

        /* Adds empty lines and comments. */
        private void noise(int indent) {
            while (happens(4)) {
                text.append(happens(2) ? "" : " ".repeat(indent) + "# a: 1, \uD83D\uDE00")
                        .append('\n');
            }
        }

        /* Writes a block mapping; the text ends where its first key may begin. */
        private void block(String path, int indent, int depth) {
            if (path.isEmpty() || path.endsWith("]")) {
                note(path);
            }
            boolean isFirst = true;
            for (String key : keys()) {
                if (!isFirst) {
                    noise(indent);
                    text.append(" ".repeat(indent));
                }
                isFirst = false;
                String member = path + "." + key;
                note(member);
                text.append(happens(4) ? "'" + key + "'" : happens(4) ? "\"" + key + "\"" : key)
                        .append(':');
                value(member, indent, depth + 1);
            }
            if (!anchors.isEmpty() && happens(6)) {
                String anchor = anchors.get(random.nextInt(anchors.size()));
                text.append(" ".repeat(indent))
                        .append("<<: {merged: {deep: ")
                        .append(anchor)
                        .append("}}\n");
                noteBelow(path + ".merged", path);
                noteBelow(path + ".merged.deep", path);
            }
        }

        /* Writes the value of a key, up to the end of its last line. */
        private void value(String path, int indent, int depth) {
            String anchor = happens(6) ? "a" + lastAnchor++ : null;
            String mark = anchor == null ? "" : " &" + anchor;
            if (anchor == null && !anchors.isEmpty() && happens(5)) {
                text.append(' ')
                        .append(anchors.get(random.nextInt(anchors.size())))
                        .append(" # it\n");
                noteBelow(path + ".a.deep", path);
                noteBelow(path + "[0]", path);
            } else if (depth < 4 && happens(3)) {
                text.append(mark).append(happens(3) ? " # of it\n" : "\n");
                int deeper = indent + random.nextInt(1, 4);
                noise(deeper);
                text.append(" ".repeat(deeper));
                block(path, deeper, depth);
            } else if (depth < 4 && happens(3)) {
                text.append(mark).append('\n');
                items(path, indent + random.nextInt(3), depth);
            } else if (happens(4)) {
                text.append(mark).append(happens(2) ? " |\n" : " >-\n");
                text.append(" ".repeat(indent + 1)).append("k: text\n").append(" ".repeat(indent + 1));
                text.append("- more\n");
            } else {
                text.append(mark).append(" ".repeat(random.nextInt(1, 3)));
                flow(path, depth);
                text.append(happens(5) ? "   # done\n" : "\n");
            }
            if (anchor != null) {
                anchors.add("*" + anchor);
            }
        }

        private void items(String path, int indent, int depth) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                // The index comes from the noted items, so that writer and reader share no counting.
                String item = path + "[" + noted(path) + "]";
                noise(indent);
                int gap = random.nextInt(1, 3);
                text.append(" ".repeat(indent)).append('-').append(" ".repeat(gap));
                if (depth < 4 && happens(3)) {
                    block(item, indent + 1 + gap, depth + 1);
                } else {
                    note(item);
                    flow(item, depth);
                    text.append('\n');
                }
            }
        }

        private int noted(String list) {
            int count = 0;
            while (documents.get(documents.size() - 1).containsKey(list + "[" + count + "]")) {
                count++;
            }
            return count;
        }

        /* Writes a flow value: on one line; in JSON and between brackets, on several. */
        private void flow(String path, int depth) {
            if (path.isEmpty() || (depth < 4 && happens(3))) {
                flowMap(path, depth);
            } else if (depth < 4 && happens(3)) {
                text.append('[');
                for (int i = random.nextInt(3); i > 0; i--) {
                    space();
                    String item = path + "[" + noted(path) + "]";
                    note(item);
                    flow(item, depth + 1);
                    text.append(i > 1 ? "," : "");
                }
                space();
                text.append(']');
            } else {
                String scalar = SCALARS.get(random.nextInt(SCALARS.size()));
                text.append(
                        isYaml && happens(4) ? "'it''s \uD83D\uDE00'" : isYaml && happens(4) ? "plain text" : scalar);
            }
        }

        private void flowMap(String path, int depth) {
            if (path.isEmpty()) {
                note(path);
            }
            text.append('{');
            List<String> keys = keys();
            for (int i = 0; i < keys.size(); i++) {
                space();
                String member = path + "." + keys.get(i);
                note(member);
                text.append(isYaml && happens(2) ? keys.get(i) : "\"" + keys.get(i) + "\"")
                        .append(": ");
                flow(member, depth + 1);
                text.append(i + 1 < keys.size() ? "," : "");
            }
            space();
            text.append('}');
        }

        /* Lines between brackets are indented in YAML. */
        private void space() {
            text.append(happens(4) ? "\n" + " ".repeat(isYaml ? 30 : random.nextInt(5)) : happens(3) ? " " : "");
        }

        private List<String> keys() {
            List<String> keys = new ArrayList<>(KEYS);
            while (keys.size() > 3 || (keys.size() > 1 && happens(3))) {
                keys.remove(random.nextInt(keys.size()));
            }
            return keys;
        }
    }
}
