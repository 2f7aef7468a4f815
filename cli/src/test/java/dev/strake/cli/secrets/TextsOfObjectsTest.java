package dev.strake.cli.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.offline.OfflineRevision;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Place;
import dev.strake.engine.workspace.Preview;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.serdes.text.Limits;
import dev.strake.testing.Planted;
import dev.strake.testing.SecretSite;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No {@code toString} contains data, because such texts end up in logs and exceptions. The test walks over all
 * objects reachable from the work on documents, so it also covers classes added later.
 */
class TextsOfObjectsTest {

    private static final long SEED = Long.getLong("strake.seed", 3);

    @TempDir
    Path folder;

    private final Planted planted = new Planted(SEED);
    private final SecretSite site = new SecretSite(SEED, planted);
    private final Map<String, String> found = new TreeMap<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Class<?>> classes = Collections.newSetFromMap(new IdentityHashMap<>());

    private FileDocuments read(String documents) throws IOException {
        String file = Files.writeString(folder.resolve("site.yaml"), documents).toString();
        return FileDocuments.read(List.of(file), InputStream.nullInputStream(), Limits.DEFAULT, remark -> {});
    }

    @Test
    void shouldShowNoDataInAnyToString() throws Exception {
        String documents = site.documents();
        FileDocuments old = read(documents);
        FileDocuments young = read(site.documents());
        OfflineRevision before = new OfflineRevision(old.documents(), Renderer.holdingDocuments());
        OfflineRevision after = before.next(young.documents(), Renderer.holdingDocuments());
        walk(old, before, after);
        Preview.Base base = new Preview.Base(before.head(), before.contents(), Preview.Held.NOTHING);
        walk(Preview.of(base, after.update(), Redaction.CLEARTEXT, Long.MAX_VALUE));
        for (Document each : old.documents()) {
            questions(before, each);
        }
        for (String trouble : site.troubled().values()) {
            FileDocuments troubled = read(documents + "---\n" + trouble);
            if (troubled.problems().isEmpty()) {
                OfflineRevision revision = new OfflineRevision(troubled.documents(), Renderer.holdingDocuments());
                walk(revision.rejections(), revision.update());
            }
        }
        byte[] body = documents.getBytes(StandardCharsets.UTF_8);
        walk(
                NewChange.ofBucket(
                        "w",
                        "id",
                        ChangeType.BUCKET_PUT,
                        "b",
                        old.documents().stream().map(Document::tree).toList()),
                Payload.of(body),
                new StateClient.Listing(young.documents().get(0).metadata(), new ArrayList<>()));
        assertThat(found).isEmpty();
        assertThat(classes).as("the walk gets everywhere").hasSizeGreaterThan(60);
    }

    private void questions(OfflineRevision revision, Document document) throws EvaluationException {
        DocumentId id = document.id();
        walk(DocumentQuery.of("$..*").in(document.tree()));
        if (document.kind() == Kind.OPERATIONS) {
            walk(OperationsDocument.of(document.data()));
        }
        if (revision.head().evaluation(id).problem() != null) {
            return;
        }
        ChangeEffort effort = new ChangeEffort(Long.MAX_VALUE);
        Explainer explainer = new Explainer(revision.head().graph(), revision.contents(), effort, bytes -> {});
        walk(
                explainer,
                explainer.leaves(id, Place.ROOT, 1_000),
                Dependents.of(revision.head().graph(), revision.contents(), id, Place.ROOT, 1_000, effort));
    }

    private void walk(Object... roots) {
        Deque<Object> open = new ArrayDeque<>(List.of(roots));
        while (!open.isEmpty()) {
            Object next = open.pop();
            if (next instanceof Optional<?> optional) {
                optional.ifPresent(open::push);
            } else if (next instanceof Iterable<?> iterable && !(next instanceof Path)) {
                iterable.forEach(each -> push(open, each));
            } else if (next instanceof Map<?, ?> map) {
                map.keySet().forEach(each -> push(open, each));
                map.values().forEach(each -> push(open, each));
            } else if (next.getClass().isArray()) {
                for (int i = 0; !next.getClass().getComponentType().isPrimitive() && i < Array.getLength(next); i++) {
                    push(open, Array.get(next, i));
                }
            }
            if (next.getClass().getName().startsWith("dev.strake") && seen.add(next)) {
                look(next);
                forEachField(next, open);
            }
        }
    }

    private void look(Object object) {
        classes.add(object.getClass());
        planted.foundIn(object.toString())
                .forEach(each -> found.putIfAbsent(object.getClass().getName(), each));
    }

    private static void push(Deque<Object> open, Object object) {
        if (object != null) {
            open.push(object);
        }
    }

    private static void forEachField(Object object, Deque<Object> open) {
        for (Class<?> of = object.getClass(); of != Object.class && of != null; of = of.getSuperclass()) {
            for (Field field : of.getDeclaredFields()) {
                boolean isLooked = !Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive()
                        && of.getName().startsWith("dev.strake");
                if (isLooked) {
                    try {
                        field.setAccessible(true);
                        push(open, field.get(object));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }
}
