package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import dev.strake.cli.command.ExitCode;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.property.Change;
import dev.strake.engine.property.RandomChanges;
import dev.strake.engine.property.Story;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code plan --base} says of two sets of files what a running Strake, which has the first set, says of a change to the
 * second. The sets are those of random authors. {@code -Dstrake.seed=N} takes the same ones again.
 */
class PlansOfFilesIT {

    private static final int STORIES = 5;
    private static final int CHANGES = Integer.getInteger("strake.changes", 120) / STORIES;

    /** All that both say. {@code vanishing} is always empty: the first set renders. */
    private static final List<String> SAME = List.of(
            "wouldBe",
            "documents",
            "affected",
            "evaluated",
            "emitted",
            "removed",
            "rendered",
            "warnings",
            "cutOff",
            "differences",
            "waiting",
            "appearing",
            "vanishing",
            "complete");

    private static final Set<Change.Kind> OF_DOCUMENTS =
            EnumSet.of(Change.Kind.PUT, Change.Kind.BUCKET, Change.Kind.DELETE);

    @TempDir
    static Path directory;

    private static TestStrake server;

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final Set<String> seen = new TreeSet<>();

    @BeforeAll
    static void start() throws Exception {
        server = TestStrake.start(directory.resolve("data"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldSayOfFilesWhatARunningStrakeSaysOfTheSameChange() throws Exception {
        for (int story = 0; story < STORIES; story++) {
            tell(seed + story, "story-" + story);
        }
        assertThat(seen).contains("rendered", "failed", "created", "modified");
    }

    private void tell(long storySeed, String workspace) throws Exception {
        RandomChanges changes = new RandomChanges(new SplittableRandom(storySeed));
        Map<DocumentId, Story.Held> held = new LinkedHashMap<>();
        Path old = Files.writeString(directory.resolve("old.json"), "[]");
        for (int step = 0; step < CHANGES; step++) {
            Map<DocumentId, Story.Held> next = after(next(changes, held), held);
            Path young = Files.writeString(directory.resolve("new.json"), text(next));
            CapturedTerminal ofFiles =
                    run("plan", "--base", old.toString(), young.toString(), "-o", "json", "--cleartext-secrets");
            CapturedTerminal online = run(
                    "plan",
                    "-w",
                    workspace,
                    "--url",
                    server.url(),
                    young.toString(),
                    "-o",
                    "json",
                    "--cleartext-secrets");
            String story = "-Dstrake.seed=%d, change %d: %s".formatted(storySeed, step, text(next));
            if (ofFiles.out().isEmpty()) { // what cannot be a revision, or cannot be read, is told on stderr
                assertThat(online.out()).as(story).matches("(?s)|.*\"wouldBe\":\"rejected\".*");
                seen.add("rejected");
                continue;
            }
            MapValue said = json(ofFiles);
            MapValue expected = json(online);
            if (!expected.has("differences")) {
                assertThat(expected.get("wouldBe")).as(story).isEqualTo(new Text("unchanged"));
                assertThat(((ListValue) said.get("differences")).size())
                        .as(story)
                        .isZero();
                continue;
            }
            SAME.forEach(member ->
                    assertThat(said.get(member)).as("%s of %s", member, story).isEqualTo(expected.get(member)));
            seen.add(((Text) said.get("wouldBe")).value());
            for (Value each : ((ListValue) said.get("differences")).items()) {
                seen.add(((Text) ((MapValue) each).get("difference")).value());
            }
            if (said.get("wouldBe").equals(new Text("rendered"))) {
                run(
                        "publish",
                        "-w",
                        workspace,
                        "--url",
                        server.url(),
                        "--yes",
                        "--wait",
                        "--allow-empty",
                        young.toString());
                held = next;
                Files.copy(young, old, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Change next(RandomChanges changes, Map<DocumentId, Story.Held> held) {
        Change change;
        do {
            change = changes.next(new Story.State(held), List.of(), 0);
        } while (!OF_DOCUMENTS.contains(change.kind()));
        return change;
    }

    private static Map<DocumentId, Story.Held> after(Change change, Map<DocumentId, Story.Held> held) {
        Map<DocumentId, Story.Held> next = new LinkedHashMap<>(held);
        if (change.kind() == Change.Kind.BUCKET) {
            next.values().removeIf(each -> each.bucket().equals(change.bucket()));
        }
        for (MapValue tree : change.documents()) {
            if (change.kind() == Change.Kind.DELETE) {
                next.keySet().removeIf(id -> tree.equals(identity(id)));
            } else {
                Document document = Document.ofValid(tree);
                next.put(document.id(), new Story.Held(document, change.bucket()));
            }
        }
        return next;
    }

    private static MapValue identity(DocumentId id) {
        return MapValue.builder()
                .put("schema", new Text(id.schema()))
                .put("layer", new Text(id.layer()))
                .put("name", new Text(id.name()))
                .build();
    }

    private static String text(Map<DocumentId, Story.Held> documents) {
        List<Value> trees = documents.values().stream()
                .<Value>map(each -> each.document().tree())
                .toList();
        return new String(JsonBytes.of(ListValue.of(trees)), StandardCharsets.UTF_8);
    }

    private static MapValue json(CapturedTerminal terminal) {
        return (MapValue) JsonValues.read(terminal.out().strip().getBytes(StandardCharsets.UTF_8));
    }

    private static CapturedTerminal run(String... arguments) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        int code = Strake.run(terminal.terminal(), arguments);
        assertThat(code).as(() -> String.join(" ", arguments) + terminal.err()).isNotEqualTo(ExitCode.USAGE);
        return terminal;
    }
}
