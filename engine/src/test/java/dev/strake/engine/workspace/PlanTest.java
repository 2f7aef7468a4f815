package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a change edits, why it is rejected, and its warnings. */
class PlanTest {

    private final TestWorkspace workspace = new TestWorkspace();

    private static MapValue policy(String name) {
        return Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'"
                + name + "'},'data':{'layerOrder':['global','site']}}");
    }

    private static DocumentId id(String name) {
        return new DocumentId("deckhand/LayeringPolicy/v1", "", name);
    }

    private List<Problem> rejections(String bucket, String... names) {
        List<Document> documents = List.of(names).stream()
                .map(name -> Document.ofValid(policy(name)))
                .toList();
        return Plan.documentsPut(workspace.head().graph(), bucket, documents).rejections();
    }

    @Test
    void shouldNameOnlyTheNewPolicyIfOneExists() {
        workspace.put("a", policy("first"));

        List<Problem> rejections = rejections("b", "second");

        assertThat(rejections).extracting(Problem::code).containsExactly(ProblemCode.SINGLETON_DOCUMENT_CONFLICT);
        assertThat(rejections).extracting(Problem::document).containsExactly(id("second"));
        assertThat(rejections.get(0).related()).containsExactly(id("first"), id("second"));
    }

    @Test
    void shouldNameBothPoliciesOfOneChange() {
        assertThat(rejections("a", "second", "first"))
                .extracting(Problem::document)
                .containsExactly(id("first"), id("second"));
    }

    @Test
    void shouldReplaceTheOldPolicyByANewOne() {
        workspace.put("a", policy("first"));

        Plan plan = Plan.bucketPut(workspace.head().graph(), "a", List.of(Document.ofValid(policy("second"))));

        assertThat(plan.rejections()).isEmpty();
    }

    @Test
    void shouldNotDeleteADocumentOfAnotherBucketAndNameThatBucket() {
        workspace.put("a", policy("first"));

        Plan plan = Plan.documentsDelete(workspace.head().graph(), "b", List.of(id("first"), id("none")));

        assertThat(plan.edits()).isEmpty();
        assertThat(plan.warnings()).extracting(Problem::document).containsExactly(id("first"), id("none"));
        assertThat(plan.warnings())
                .extracting(Problem::message)
                .containsExactly(
                        "is not in bucket b, but in a; nothing was deleted", "is not in bucket b; nothing was deleted");
    }

    @Test
    void shouldCountTheDocumentsThatTheWorkspaceHasAfterTheChange() {
        workspace.put("a", policy("first"));

        assertThat(Plan.documentsDelete(workspace.head().graph(), "a", List.of(id("first")))
                        .sizeAfter())
                .isZero();
        assertThat(Plan.bucketPut(workspace.head().graph(), "a", List.of(Document.ofValid(policy("second"))))
                        .sizeAfter())
                .isOne();
    }

    /* As a PUT in Deckhand that renews a validation policy. */
    @Test
    void shouldRepeatAnEditWithoutEffectButNotRestoreIt() {
        Document policy = Document.ofValid(policy("first"));
        workspace.put("a", policy("first"));
        Map<DocumentId, Edit> same = Map.of(policy.id(), Edit.of(policy, "a", 0));

        assertThat(Plan.repeat(workspace.head().graph(), same).edits()).containsOnlyKeys(policy.id());
        assertThat(Plan.restore(workspace.head().graph(), same).edits()).isEmpty();
    }
}
