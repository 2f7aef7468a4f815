package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.store.LayerGraphLayout.Edges;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.topology.history.Retention;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.NumberedRevision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The workspaces of the state folders that are kept as resources: between them they have entries of every kind that the
 * stores know. The stories here may grow; a folder that was written stays as it is.
 */
final class StateFolder {

    /** So few revisions that there are gaps behind tagged ones. */
    static final TopologySettings HOLDING_REVISIONS = TopologySettings.of(1).retaining(new Retention(3, Duration.ZERO));

    static final TopologySettings HOLDING_DOCUMENTS = HOLDING_REVISIONS.holdingDocuments(true);

    /** All of the language, and nothing wrong with it. */
    static final String WHOLE = "whole";

    /** In trouble of every kind, published as far as it renders. */
    static final String PARTIAL = "partial";

    /** In trouble, so that consumers keep what they have. */
    static final String FAILED = "failed";

    /** Without a layering policy: wrong as a whole. */
    static final String LAWLESS = "lawless";

    /** Deleted, and nothing came after. */
    static final String DELETED = "deleted";

    static final List<String> WORKSPACES = List.of(WHOLE, PARTIAL, FAILED, LAWLESS, DELETED);

    /** The id of a change in two parts of which the second one is missing. */
    static final String WAITING = "two-parts";

    /** The id of a change that was applied. */
    static final String APPLIED = "back-to-the-fourth";

    private static final Duration UNTIL_PRUNED = Duration.ofSeconds(10);
    private static final String LABELS = ", labels: {role: %s, \"ключ\": é}";
    private static final String PARENT = ", parentSelector: {role: %s}, actions: [%s]";
    private static final String PUT = "dev.strake.documents.put";
    private static final String POLICY =
            control("deckhand/LayeringPolicy/v1", "policy", "{layerOrder: [global, region, site]}");

    private StateFolder() {}

    /** The workspaces as this build makes them. */
    static TopologyHarness told() {
        try (TopologyHarness strake = new TopologyHarness(HOLDING_REVISIONS);
                TopologyHarness holdingDocuments = new TopologyHarness(HOLDING_DOCUMENTS)) {
            tellOfTheWhole(strake);
            tellOfTheFailed(strake);
            tellOfTheLawless(strake);
            tellOfTheDeleted(strake);
            strake.send(WHOLE, waiting(1), "ce_id", WAITING, "ce_type", PUT, "part", "1/2", "ce_source", "git");
            TopologyHarness all = holdingDocuments.restoredFrom(strake.dump());
            tellOfThePartial(all);
            return all;
        }
    }

    /** A part of the change that waits. */
    static String waiting(int part) {
        return thing("site", "late-" + part, "", "", "{number: " + part + "}");
    }

    private static void tellOfTheWhole(TopologyHarness strake) {
        String parent = thing("global", "parent", "", LABELS.formatted("parent"), "{number: 1, list: [a, b]}");
        String child = thing(
                "region",
                "child",
                PARENT.formatted("parent", "{method: merge, path: .}, {method: delete, path: .list}"),
                "",
                "{number: 2}");
        String reading = thing(
                "site",
                "reading",
                PARENT.formatted("abstract", "{method: merge, path: .}"),
                """
                , substitutions: [{src: {schema: deckhand/Passphrase/v1, name: passphrase, path: .},
                                   dest: {path: .url, pattern: SECRET}},
                                  {src: {schema: example/Thing/v1, name: child, path: .number}, dest: {path: ".copies[0]"}}]
                """,
                "{url: \"https://SECRET@host\"}");
        send(
                strake,
                WHOLE,
                POLICY,
                parent,
                child,
                reading,
                thing("global", "abstract", ", abstract: true", LABELS.formatted("abstract"), "{own: here}"),
                thing("region", "replaced", "", LABELS.formatted("replaced"), "{text: before}"),
                thing(
                        "site",
                        "replaced",
                        PARENT.formatted("replaced", "{method: replace, path: .}"),
                        ", replacement: true",
                        "{text: after}"),
                document("deckhand/Passphrase/v1", "site", "passphrase", "", "", "pässwörd"),
                control("deckhand/DataSchema/v1", "example/Thing/v1", "{type: object}"));
        tag(strake, WHOLE, 1, "first");
        send(
                strake,
                WHOLE,
                operations(
                        "by-name",
                        "{schema: example/Thing/v1, name: child}",
                        "{type: replace, path: \"/added?\", value: 1}"));
        send(
                strake,
                WHOLE,
                operations(
                        "by-labels",
                        "{schema: example/Thing/v1, labels: {role: parent}}",
                        "{type: replace, path: /number, value: 9}"));
        send(strake, WHOLE, child.replace("number: 2", "number: 3"));
        tag(strake, WHOLE, 4, "fourth");
        send(strake, WHOLE, thing("site", "short-lived", "", "", "{}"));
        strake.send(
                WHOLE,
                "[{schema: example/Thing/v1, layer: site, name: short-lived}]",
                "ce_type",
                "dev.strake.documents.delete");
        send(strake, WHOLE, parent.replace("number: 1", "number: 1.0"));
        strake.send(WHOLE, "{revision: 4}", "ce_type", "dev.strake.revision.rollback", "ce_id", APPLIED);
        strake.advance(UNTIL_PRUNED);
    }

    private static void tellOfTheFailed(TopologyHarness strake) {
        String child = thing("site", "child", PARENT.formatted("parent", "{method: merge, path: .}"), "", "{}");
        send(strake, FAILED, POLICY, thing("global", "parent", "", LABELS.formatted("parent"), "{a: 1}"), child);
        send(strake, FAILED, thing("global", "other", "", "", "{a: 2}"));
        send(strake, FAILED, child.replace("method: merge, path: .", "method: delete, path: .missing"));
        send(strake, FAILED, thing("global", "other", "", "", "{a: 3}"));
    }

    private static void tellOfTheLawless(TopologyHarness strake) {
        send(strake, LAWLESS, thing("site", "alone", "", "", "{a: 1}"));
    }

    private static void tellOfTheDeleted(TopologyHarness strake) {
        send(strake, DELETED, POLICY, thing("site", "gone", "", "", "{a: 1}"));
        strake.send(DELETED, null, "ce_type", "dev.strake.workspace.delete");
        strake.advance(UNTIL_PRUNED);
    }

    private static void tellOfThePartial(TopologyHarness strake) {
        send(
                strake,
                PARTIAL,
                POLICY,
                thing("global", "good", "", LABELS.formatted("good"), "{a: 1}"),
                thing("global", "turns-bad", "", "", "{a: 1}"));
        send(
                strake,
                PARTIAL,
                thing("region", "no-parent", PARENT.formatted("none", "{method: merge, path: .}"), "", "{}"),
                thing("region", "bad-action", PARENT.formatted("good", "{method: delete, path: .x}"), "", "{}"),
                thing("nowhere", "bad-layer", "", "", "{}"),
                thing("site", "bad-source", "", copying("missing", ".a"), "{}"),
                thing("site", "one-of-two", "", copying("two-of-two", ".a"), "{a: 1}"),
                thing("site", "two-of-two", "", copying("one-of-two", ".a"), "{a: 1}"),
                thing("site", "depends", "", copying("bad-action", ".a"), "{}"),
                thing("site", "replaces-nothing", "", ", replacement: true", "{}"),
                thing("global", "twice", "", "", "{}"),
                thing("site", "twice", "", "", "{}"),
                document("deckhand/Passphrase/v1", "site", "no-text", "", "", "{a: 1}"),
                control("deckhand/DataSchema/v1", "example/Strict/v1", "{required: [b]}"),
                document("example/Strict/v1", "site", "breaks-schema", "", "", "{a: 1}"),
                control("deckhand/DataSchema/v1", "example/Odd/v1", "{type: 12}"),
                document("strake/Operations/v1", "site", "unreadable", "", "", "{target: 1}"),
                operations("fails", "{schema: example/Thing/v1, name: good}", "{type: remove, path: /x}"));
        send(strake, PARTIAL, thing("global", "turns-bad", "", copying("missing", ".a"), "{a: 2}"));
        strake.advance(UNTIL_PRUNED);
    }

    private static void send(TopologyHarness strake, String workspace, String... documents) {
        Outcome outcome = strake.send(workspace, String.join("---\n", documents), "ce_type", PUT);
        assertThat(outcome.status()).as("%s", outcome.problems()).isNotEqualTo(OutcomeStatus.REJECTED);
    }

    private static void tag(TopologyHarness strake, String workspace, long revision, String tag) {
        strake.send(
                workspace,
                "{revision: %d, tag: %s, data: {by: \"ö\"}}".formatted(revision, tag),
                "ce_type",
                "dev.strake.revision.tag");
    }

    private static String copying(String source, String path) {
        return ", substitutions: [{src: {schema: example/Thing/v1, name: %s, path: %s}, dest: {path: .copy}}]"
                .formatted(source, path);
    }

    private static String operations(String name, String target, String operation) {
        String data = "{target: %s, operations: [%s]}".formatted(target, operation);
        return document("strake/Operations/v1", "site", name, "", "", data);
    }

    private static String thing(String layer, String name, String layering, String metadata, String data) {
        return document("example/Thing/v1", layer, name, layering, metadata, data);
    }

    /*
     * layering: what else the layering definition says
     * metadata: what else the metadata say
     */
    private static String document(
            String schema, String layer, String name, String layering, String metadata, String data) {
        return """
                schema: %s
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: %s%s}%s}
                data: %s
                """.formatted(schema, name, layer, layering, metadata.replace("\n", " "), data);
    }

    private static String control(String schema, String name, String data) {
        return """
                schema: %s
                metadata: {schema: metadata/Control/v1, name: %s}
                data: %s
                """.formatted(schema, name, data);
    }

    /** What can be asked of the workspaces, one answer a line. */
    static String listing(WorkspaceQueries queries) {
        StringBuilder text = new StringBuilder();
        for (String workspace : WORKSPACES) {
            List<NumberedRevision> revisions = queries.revisions(workspace);
            line(text, workspace, "head", queries.head(workspace));
            if (!queries.has(workspace, 2)) {
                line(text, workspace, "missing 2", queries.missing(workspace, 2).message());
            }
            long before = 0;
            for (NumberedRevision each : revisions) {
                long number = each.number();
                String of = workspace + " " + number;
                line(text, of, "revision", revision(each.revision()));
                queries.documents(workspace, number)
                        .forEach(document -> line(
                                text,
                                of,
                                "document",
                                document.id() + " " + document.bucket() + " " + json(document.tree())));
                queries.graph(workspace, number)
                        .forEach((id, edges) -> line(text, of, "edges", id + " " + edges(edges)));
                queries.rendered(workspace, number).forEach(tree -> line(text, of, "rendered", json(tree)));
                queries.problems(workspace, number)
                        .forEach(problem -> line(text, of, "problem", json(ProblemJson.write(problem))));
                line(text, of, "buckets", queries.buckets(workspace, number));
                line(text, of, "differs from " + before, text(queries.diff(workspace, before, number)));
                before = number;
            }
        }
        return text.toString();
    }

    /* As the listing has it, which is older than the problems of differences. */
    private static String text(Differences differences) {
        return "Differences[documents=%s, rendered=%s]".formatted(differences.documents(), differences.rendered());
    }

    private static void line(StringBuilder text, String of, String what, Object answer) {
        text.append(of).append(": ").append(what).append(": ").append(answer).append('\n');
    }

    private static String revision(Revision revision) {
        StringBuilder tags = new StringBuilder();
        revision.tags()
                .forEach((tag, data) -> tags.append(' ').append(tag).append('=').append(json(data.value())));
        return "%d %s %s %s %s %s%s"
                .formatted(
                        revision.time(),
                        revision.change(),
                        revision.status(),
                        revision.documents(),
                        revision.work(),
                        revision.published(),
                        tags);
    }

    private static String edges(Edges edges) {
        return "parent %s, replacement %s, sources %s, selector %s, target %s"
                .formatted(
                        edges.parent(),
                        edges.replacement(),
                        edges.sources(),
                        json(edges.selector()),
                        edges.target()
                                .map(target -> target.schema() + " " + target.name() + " " + json(target.labels()))
                                .orElse("none"));
    }

    private static String json(Value value) {
        return new String(JsonBytes.of(value), StandardCharsets.UTF_8);
    }
}
