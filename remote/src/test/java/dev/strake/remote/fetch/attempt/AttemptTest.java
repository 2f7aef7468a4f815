package dev.strake.remote.fetch.attempt;

import static dev.strake.remote.fetch.attempt.Story.thing;
import static dev.strake.remote.fetch.attempt.Story.things;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Hasher;
import dev.strake.remote.fetch.SecretsOfFetcher;
import dev.strake.remote.fetch.attempt.Status.State;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.change.ChangeType;
import dev.strake.testing.SourceServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The result of an attempt: a change, nothing, or a held response. */
class AttemptTest {

    private static final String ONE = "requests: [{options: {url: '{}'}}]";

    private SourceServer server;
    private Story story;

    @BeforeEach
    void start() throws Exception {
        server = new SourceServer();
        story = new Story(Story.LOOPBACK).resource(ONE, server.url("/a"));
    }

    @AfterEach
    void stop() {
        story.close();
        server.close();
    }

    private Status attempt(String source) throws Exception {
        server.text("/a", source);
        return story.attempt();
    }

    private Status attempt(State expected, String source) throws Exception {
        server.text("/a", source);
        return story.attempt(expected);
    }

    @Test
    void shouldPublishTheSourceOnlyOnce() throws Exception {
        Status first = attempt(State.OK, things("x", "y"));
        assertThat(first.counts()).isEqualTo(new Status.Counts(2, 0, 0, 0));
        assertThat(story.names()).containsExactly("x", "y");
        assertThat(story.changes.get(0).bucket()).isEqualTo("remote-app");
        story.attempt();
        assertThat(story.changes).hasSize(1);
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(() -> assertThat(server.asked)
                        .extracting(SourceServer.Asked::status)
                        .containsExactly(200, 304));
    }

    @Test
    void shouldSealEncryptedDocumentsAndPublishThemOnlyOnce() throws Exception {
        int[] sealed = new int[1]; // sealing the same data twice never gives the same bytes
        story.with(new SecretsOfFetcher(
                Optional.of((clear, place) -> ("sealed " + sealed[0]++).getBytes(StandardCharsets.UTF_8)),
                Optional.empty()));
        attempt(State.OK, things("x") + """
                ---
                schema: example/Password/v1
                metadata: {schema: metadata/Document/v1, name: p, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: {password: pl4nted}
                """);
        story.attempt();

        assertThat(story.changes).hasSize(1);
        String body = new String(story.changes.get(0).parts().get(0), StandardCharsets.UTF_8);
        assertThat(body).contains("$sealed").doesNotContain("pl4nted");
        assertThat(sealed[0]).isEqualTo(1);
    }

    @Test
    void shouldRemoveDocumentsThatLeftTheSource() throws Exception {
        attempt(things("x", "y"));
        assertThat(attempt(things("y")).counts().removed()).isEqualTo(1);
        assertThat(story.names()).containsExactly("y");
    }

    @Test
    void shouldReturnToAnEarlierStateOfTheSource() throws Exception {
        for (String name : new String[] {"x", "y", "x"}) {
            attempt(things("always", name));
            assertThat(story.names()).containsExactly("always", name);
        }
    }

    @Test
    void shouldRepeatTheSameChangeAfterAKillBeforeItsStateWasSaved() throws Exception {
        attempt(things("x"));
        server.text("/a", things("x", "y"));
        story.killedAfterPublishing().attempt();
        story.attempt();
        assertThat(story.changes).hasSize(3);
        assertThat(story.changes.get(2).id()).isEqualTo(story.changes.get(1).id());
        assertThat(story.memory().orElseThrow().documents()).hasSize(2);
    }

    @Test
    void shouldRestoreTheBucketWithoutSavedState() throws Exception {
        server.text("/a", things("x"));
        story.killedAfterPublishing().attempt();
        server.text("/a", things("x", "y"));
        story.killedAfterPublishing().attempt();
        attempt(things("x"));
        assertThat(story.names()).containsExactly("x");
    }

    @Test
    void shouldHoldAnEmptyResponseUntilConfirmed() throws Exception {
        attempt(things("x"));
        server.on("/a", exchange -> SourceServer.send(exchange, 200, new byte[0]));
        Status held = story.attempt(State.HELD);
        assertThat(held.message()).contains("the source has no document", held.confirm());
        assertThat(story.names()).containsExactly("x");
        story.resource(ONE + "\nconfirm: '{}'", server.url("/a"), held.confirm());
        story.attempt(State.OK);
        assertThat(story.names()).isEmpty();
    }

    @Test
    void shouldHoldAResponseWithNoneOfThePreviousDocuments() throws Exception {
        attempt(things("a", "b", "c", "d", "e", "f", "g", "h", "i"));
        Status held = attempt(State.HELD, things("foreign"));
        assertThat(held.message())
                .contains("9 of 9 documents are gone", "nothing that it had is left", "maxRemovals", held.confirm());
        assertThat(story.names()).hasSize(9);
        story.resource(ONE + "\nconfirm: '{}'", server.url("/a"), held.confirm());
        story.attempt(State.OK);
        assertThat(story.names()).containsExactly("foreign");
        attempt(State.HELD, things("another"));
        story.resource(ONE + "\nmaxRemovals: 1", server.url("/a"));
        story.attempt(State.OK);
        assertThat(story.names()).containsExactly("another");
    }

    @Test
    void shouldHoldTheRemovalOfMoreThanAThird() throws Exception {
        attempt(things("a", "b", "c", "d", "e"));
        assertThat(attempt(things("a", "b", "c")).message()).contains("2 of 5 documents are gone", "more than a third");
        attempt(State.OK, things("a", "b", "c", "d"));
    }

    @Test
    void shouldHoldAMuchSmallerResponse() throws Exception {
        String[] many = IntStream.range(0, 40).mapToObj(i -> "t" + i).toArray(String[]::new);
        attempt(things(many));
        Status held = attempt(State.HELD, things("t1", "t2"));
        assertThat(held.message()).contains("38 of 40 documents are gone", "more than a third");
        assertThat(story.names()).hasSize(40);
        attempt(State.OK, things(many));
        story.resource(ONE + "\nmaxRemovals: 100%", server.url("/a"));
        attempt(things("t1", "t2"));
        assertThat(story.names()).containsExactly("t1", "t2");
    }

    @Test
    void shouldRelyOnTheGuardOfThePipelineWithoutSavedState() throws Exception {
        server.text("/a", things("x"));
        story.killedAfterPublishing().attempt();
        attempt(State.HELD, things("y"));
        assertThat(story.names()).containsExactly("x");
    }

    @Test
    void shouldRelyOnTheLimitOfThePipelineWithoutSavedState() throws Exception {
        String[] many = IntStream.range(0, 40).mapToObj(i -> "t" + i).toArray(String[]::new);
        story.resource(ONE + "\nmaxRemovals: 10", server.url("/a"));
        server.text("/a", things(many));
        story.killedAfterPublishing().attempt();
        attempt(State.HELD, things("t1"));
        assertThat(story.names()).hasSize(40);
    }

    @Test
    void shouldRemoveNothingForAnOlderResponse() throws Exception {
        stamped("Wed, 21 Oct 2026 07:28:00 GMT", things("x", "y"));
        story.attempt();
        stamped("Tue, 20 Oct 2026 07:28:00 GMT", things("x"));
        Status held = story.attempt(State.HELD);
        assertThat(held.message()).contains("older");
        assertThat(story.names()).containsExactly("x", "y");
    }

    private void stamped(String time, String text) {
        server.on("/a", exchange -> {
            exchange.getResponseHeaders().set("Last-Modified", time);
            return SourceServer.send(exchange, 200, text.getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void shouldObeyTheLabelReconcile() throws Exception {
        String label = "deploy.razee.io/Reconcile: ";
        attempt(things("a", "b") + thing("left", label + "'false'") + thing("awaited", label + "confirm"));
        Status waiting = attempt(things("a"));
        assertThat(story.names()).containsExactly("a", "awaited", "left");
        assertThat(waiting.state()).isEqualTo(Status.State.HELD);
        assertThat(waiting.counts()).isEqualTo(new Status.Counts(1, 1, 1, 1));
        attempt(things("a", "c"));
        assertThat(story.names()).containsExactly("a", "awaited", "c", "left");
        String confirm = story.attempt().confirm();
        story.resource(ONE + "\nconfirm: '{}'", server.url("/a"), confirm);
        story.attempt(State.OK);
        assertThat(story.names()).containsExactly("a", "c", "left");
        int changes = story.changes.size();
        story.attempt(State.OK);
        assertThat(story.changes).hasSize(changes);
        attempt(things("a") + thing("left", label + "'true'"));
        attempt(things("a"));
        assertThat(story.names()).containsExactly("a");
    }

    @Test
    void shouldSaveNoDataOfDocuments() throws Exception {
        String label = "deploy.razee.io/Reconcile: ";
        attempt(things("a") + thing("left", label + "'false'") + thing("awaited", label + "confirm"));
        attempt(things("a"));
        assertThat(new String(story.memory().orElseThrow().write(), StandardCharsets.UTF_8))
                .contains("left", "awaited")
                .doesNotContain("\"data\"", "storagePolicy");
    }

    @Test
    void shouldKeepAbandonedDocumentsWhenAnEmptySourceIsConfirmed() throws Exception {
        attempt(thing("left", "deploy.razee.io/Reconcile: 'false'"));
        server.on("/a", exchange -> SourceServer.send(exchange, 200, new byte[0]));
        String confirm = story.attempt().confirm();
        story.resource(ONE + "\nconfirm: '{}'", server.url("/a"), confirm);
        Status status = story.attempt(State.OK);
        assertThat(status.counts()).isEqualTo(new Status.Counts(0, 0, 1, 0));
        assertThat(story.names()).containsExactly("left");
        assertThat(story.changes).hasSize(1);
    }

    @Test
    void shouldRepeatTheSameChangesAfterAKillBetweenThem() throws Exception {
        attempt(things("a", "b") + thing("left", "deploy.razee.io/Reconcile: 'false'"));
        server.text("/a", things("a", "c"));
        story.killedAfterPublishing().attempt();
        story.attempt();
        assertThat(story.names()).containsExactly("a", "c", "left");
        assertThat(story.changes).hasSize(5);
        assertThat(story.changes.get(3).id()).isEqualTo(story.changes.get(1).id());
        assertThat(story.changes.get(4).id()).isEqualTo(story.changes.get(2).id());
    }

    @Test
    void shouldReleaseAnAbandonedDocumentToAnotherBucket() throws Exception {
        attempt(things("a") + thing("left", "deploy.razee.io/Reconcile: 'false'"));
        attempt(things("a"));
        story.bucket.remove(new DocumentId("example/Thing/v1", "site", "left"));
        story.elsewhere.add(new DocumentId("example/Thing/v1", "site", "left"));
        attempt(State.OK, things("a", "b"));
        assertThat(story.names()).containsExactly("a", "b");
    }

    @Test
    void shouldNameTheBucketThatOwnsADocument() throws Exception {
        story.elsewhere.add(new DocumentId("example/Thing/v1", "site", "x"));
        Status failed = attempt(State.FAILED, things("x"));
        assertThat(failed.code()).isEqualTo("DuplicateDocumentExists");
        assertThat(failed.message()).contains("x");
    }

    @Test
    void shouldSkipAFailedOptionalRequestAndRemoveNothing() throws Exception {
        story.resource(
                "requests: [{options: {url: '{}'}}, {optional: true, options: {url: '{}'}}]",
                server.url("/a"),
                server.url("/b"));
        server.text("/a", things("a1", "a2")).text("/b", things("b"));
        story.attempt();
        server.text("/a", things("a1", "a3")).status("/b", 500);
        Status partial = story.attempt(State.OK);
        assertThat(partial.code()).isEqualTo("OptionalRequestFailed");
        assertThat(story.names()).containsExactly("a1", "a2", "a3", "b");
        assertThat(story.changes.get(1).type()).isEqualTo(ChangeType.DOCUMENTS_PUT);
        story.attempt();
        assertThat(story.changes).hasSize(2);
        server.text("/b", things("b"));
        story.attempt();
        assertThat(story.names()).containsExactly("a1", "a3", "b");
    }

    @Test
    void shouldPublishNothingIfAMandatoryRequestFails() throws Exception {
        story.resource(
                "requests: [{options: {url: '{}'}}, {options: {url: '{}'}}]", server.url("/a"), server.url("/b"));
        server.text("/a", things("a")).text("/b", things("b"));
        story.attempt();
        server.text("/a", things("c")).status("/b", 503);
        Status failed = story.attempt(State.FAILED);
        assertThat(failed.message()).isEqualTo(server.url("/b") + ": answers 503");
        assertThat(story.names()).containsExactly("a", "b");
    }

    @Test
    void shouldAcceptOnlyThePinnedContent() throws Exception {
        server.text("/a", things("x"));
        String right = Hasher.hex(things("x"));
        story.resource("requests: [{sha256: '{}', options: {url: '{}'}}]", right, server.url("/a"));
        story.attempt(State.OK);
        assertThat(attempt(things("y")).code()).isEqualTo("DigestMismatch");
        assertThat(story.names()).containsExactly("x");
    }

    @Test
    void shouldConvertKubernetesObjectsAndListsToDocuments() throws Exception {
        attempt(State.OK, """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {tier: front}}, spec: {replicas: 2}}
            - apiVersion: v1
              kind: List
              items:
              - {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: dg==}}
            ---
            apiVersion: deploy.razee.io/v1alpha2
            kind: RemoteResource
            metadata: {name: child, namespace: shop}
            spec: {requests: []}
            """);
        assertThat(story.bucket.keySet())
                .containsExactlyInAnyOrder(
                        new DocumentId("kubernetes/Object/v1", "site", "Deployment.apps/shop/web"),
                        new DocumentId("kubernetes/Object/v1", "site", "Secret/s"),
                        new DocumentId(ObjectDocument.REMOTE_RESOURCE, "site", "shop/child"));
        assertThat(story.bucket.values().toString()).doesNotContain("\"kind\":\"List\"");
    }

    @Test
    void shouldRequestASharedUrlOnce() throws Exception {
        server.text("/a", things("x"));
        long since = System.nanoTime();
        story.attempt(since);
        story.attempt(since);
        assertThat(server.count("/a")).isEqualTo(1);
    }
}
