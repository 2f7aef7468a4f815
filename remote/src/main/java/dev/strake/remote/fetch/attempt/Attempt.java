package dev.strake.remote.fetch.attempt;

import dev.strake.client.NewChange;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.resource.FetchRequest;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.source.ContentSource;
import dev.strake.remote.fetch.source.Fetched;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One attempt to fetch a resource and publish its content. The change id is a hash of the resource, its content and the
 * id of the previous change. After a crash between publishing and writing the memory, the same change is published
 * again and answered {@code duplicate}. The previous id is included because a source may return to earlier content.
 */
public final class Attempt {

    private static final int MOST_FILES = 100_000;
    private static final String AUTHOR = "strake fetch";

    private final RemoteResource resource;
    private final Optional<Memory> memory;
    private final Map<RemoteResource.Backend, ContentSource> sources;
    private final ReferencedValues references;
    private final ChangeSink publishing;
    private final long maxBytes;
    private final long since;
    private final List<Status.OfRequest> requests = new ArrayList<>();

    /** The result of an attempt: the status of the resource, and its new memory. */
    public record Result(Status status, Optional<Memory> memory) {}

    public Attempt(
            RemoteResource resource,
            Optional<Memory> memory,
            Map<RemoteResource.Backend, ContentSource> sources,
            ReferencedValues references,
            ChangeSink publishing,
            long maxBytes,
            long since) {
        this.resource = resource;
        this.memory = memory;
        this.sources = sources;
        this.references = references;
        this.publishing = publishing;
        this.maxBytes = maxBytes;
        this.since = since;
    }

    /** Fetches, decides and publishes. If this fails, the status says why, and the bucket keeps its content. */
    public Result run() {
        try {
            if (memory.isPresent() && !memory.get().bucket().equals(resource.bucket())) {
                throw new FetchException(
                        FetchException.Code.INVALID_RESOURCE,
                        "the resource owns the bucket %s and cannot take another one; give it another name, too"
                                .formatted(memory.get().bucket()));
            }
            return take(fetchAll());
        } catch (FetchException e) {
            return new Result(
                    Status.failed(resource.bucket(), requests, e.code().text(), e.getMessage()), memory);
        }
    }

    private List<Fetched> fetchAll() throws FetchException {
        List<Fetched> all = new ArrayList<>();
        long left = maxBytes;
        for (FetchRequest request : resource.from().requests()) {
            try {
                Fetched fetched = sources.get(resource.from().backend())
                        .fetch(new ContentSource.Question(
                                resource, request, references.headers(request), references, since));
                left -= fetched.bytes();
                if (left < 0 || fetched.files().size() > MOST_FILES) {
                    throw new FetchException(
                            FetchException.Code.TOO_LARGE,
                            "%s: all requests together have more than %,d bytes, or %,d files"
                                    .formatted(fetched.place(), maxBytes, MOST_FILES));
                }
                fetched.check(request.sha256());
                if (request.optional()) {
                    Content.of(List.of(fetched), resource.layer()); // rejects unreadable optional content
                }
                all.add(fetched);
                requests.add(new Status.OfRequest(
                        fetched.place(), fetched.revision(), fetched.files().size(), ""));
            } catch (FetchException e) {
                requests.add(new Status.OfRequest(request.place(), "", 0, e.getMessage()));
                if (!request.optional()) {
                    throw e;
                }
            }
        }
        return all;
    }

    private Result take(List<Fetched> all) throws FetchException {
        boolean isPartial = all.size() < resource.from().requests().size();
        Content content = Content.of(all, resource.layer());
        SortedMap<String, Long> newest = new TreeMap<>();
        boolean isOlder = false;
        for (Fetched fetched : all) {
            long before = memory.map(past -> past.newest().getOrDefault(fetched.place(), 0L))
                    .orElse(0L);
            isOlder |= fetched.modified() > 0 && fetched.modified() < before;
            if (fetched.modified() > 0) {
                newest.put(fetched.place(), fetched.modified());
            }
        }
        Decision decision = Decision.of(resource, memory, content, isPartial, isOlder);
        return switch (decision.kind()) {
            case HOLD -> new Result(held(decision, decision.reason()), memory);
            case NOTHING -> nothing(decision, content, newest, isPartial);
            case PUT, UPDATE, ADD -> publish(decision, content, newest);
        };
    }

    private Result nothing(Decision decision, Content content, SortedMap<String, Long> newest, boolean isPartial) {
        // The content is the same, but what happens to its documents once they are gone may have changed.
        Optional<Memory> after = isPartial
                ? memory
                : memory.map(past -> decision.memory(resource, memory, content, newest, past.change()));
        return new Result(status(decision, after, Optional.empty()), after);
    }

    private Result publish(Decision decision, Content content, SortedMap<String, Long> newest) {
        NewChange last = null;
        Outcome outcome = null;
        for (NewChange change : changes(decision, previous())) {
            last = change;
            outcome = publishing.publish(change);
            if (outcome.status() == OutcomeStatus.DUPLICATE && memory.isEmpty()) {
                // Without a memory, later changes are unknown, so the same content is published once more. This
                // changes nothing if there were none.
                last = changes(decision, UUID.randomUUID().toString()).get(0);
                outcome = publishing.publish(last);
            }
            if (outcome.status() == OutcomeStatus.REJECTED) {
                return rejected(decision, outcome);
            }
        }
        Memory after = decision.memory(resource, memory, content, newest, last.id());
        return new Result(status(decision, Optional.of(after), Optional.of(ofChange(outcome))), Optional.of(after));
    }

    private String previous() {
        return memory.map(Memory::change).orElse("");
    }

    private Result rejected(Decision decision, Outcome outcome) {
        Problem first = outcome.problems().isEmpty() ? null : outcome.problems().get(0);
        if (first != null && first.code() == ProblemCode.TOO_MANY_REMOVALS) {
            return new Result(held(decision, first.message()), memory);
        }
        String code = first == null ? "Rejected" : first.code().code();
        String message = "the change was rejected: "
                + outcome.problems().stream()
                        .limit(3)
                        .map(problem -> Stream.of(problem.document(), problem.path(), problem.message())
                                .filter(Objects::nonNull)
                                .map(Object::toString)
                                .collect(Collectors.joining(" ")))
                        .collect(Collectors.joining("; "));
        Status failed = Status.failed(resource.bucket(), requests, code, message);
        return new Result(failed, memory);
    }

    /*
     * Returns one change, or two if documents stay that the source no longer has: their text is unknown, so the bucket
     * cannot be put as a whole. Then the first puts documents, the second deletes the removals. A retry makes the same
     * changes.
     */
    private List<NewChange> changes(Decision decision, String previous) {
        List<NewChange> changes = new ArrayList<>();
        if (decision.kind() == Decision.Kind.PUT || !decision.documents().isEmpty()) {
            changes.add(put(decision, previous));
        }
        if (decision.kind() == Decision.Kind.UPDATE && !decision.removals().isEmpty()) {
            String before = changes.isEmpty() ? previous : changes.get(0).id();
            changes.add(deletion(resource.key().workspace(), resource.bucket(), decision.removals(), "delete", before)
                    .with(Terms.NONE, note(message())));
        }
        return changes;
    }

    private static NewChange deletion(
            String workspace, String bucket, Collection<DocumentId> removals, String what, String previous) {
        List<Value> items = new ArrayList<>();
        for (DocumentId id : removals) {
            MapValue item = MapValue.of("schema", id.schema());
            items.add((id.layer().isEmpty() ? item : item.with("layer", id.layer())).with("name", id.name()));
        }
        String id = id(what, bucket, removals.toString(), previous);
        return NewChange.ofBucket(workspace, id, ChangeType.DOCUMENTS_DELETE, bucket, items);
    }

    private NewChange put(Decision decision, String previous) {
        boolean isPut = decision.kind() == Decision.Kind.PUT;
        String id = id(
                isPut ? "put" : "add",
                resource.key().document().toString(),
                resource.bucket(),
                Content.hash(decision.documents()),
                previous);
        List<String> origins = decision.documents().stream()
                .map(document -> document.origin().orElse(""))
                .toList();
        RemovalLimit limit = limit(decision);
        return NewChange.ofBucket(
                        resource.key().workspace(),
                        id,
                        isPut ? ChangeType.BUCKET_PUT : ChangeType.DOCUMENTS_PUT,
                        resource.bucket(),
                        decision.documents().stream()
                                .map(document -> publishing.sealed(document.tree()))
                                .toList(),
                        origins)
                .with(isPut ? Terms.NONE.removing(limit) : Terms.NONE, note(message()));
    }

    private RemovalLimit limit(Decision decision) {
        if (resource.removals().confirm().equals(Optional.of(decision.confirm()))) {
            return RemovalLimit.NONE;
        }
        RemovalLimit most = resource.removals().most();
        return most.isGuard()
                ? most
                : new RemovalLimit(Math.max(decision.removals().size(), most.documents()), most.percent());
    }

    private String message() {
        return "RemoteResource %s from %s"
                .formatted(
                        resource.key().document().name(),
                        requests.stream()
                                .filter(request -> request.problem().isEmpty())
                                .map(request -> request.place() + " at " + request.revision())
                                .collect(Collectors.joining(", ")));
    }

    private static String id(String... parts) {
        return "fetch-" + Hasher.hex(String.join("\n", parts));
    }

    private static Note note(String message) {
        String line = message.replaceAll("\\p{Cntrl}+", " ");
        return new Note(AUTHOR, line.length() > 500 ? line.substring(0, 500) + "…" : line);
    }

    /**
     * Returns the change to publish once the resource is gone. Documents that are not removed stay, without an owner.
     *
     * @return the change; empty if all documents stay
     */
    public static Optional<NewChange> farewell(String workspace, String name, Memory memory) {
        List<DocumentId> gone = memory.documents().entrySet().stream()
                .filter(each -> each.getValue() == Reconcile.TRUE)
                .map(Map.Entry::getKey)
                .toList();
        if (gone.isEmpty()) {
            return Optional.empty();
        }
        boolean staysAny =
                !memory.kept().isEmpty() || gone.size() < memory.documents().size();
        String id = id("gone", name, memory.bucket(), memory.change());
        NewChange change = staysAny
                ? deletion(workspace, memory.bucket(), gone, "gone " + name, memory.change())
                : NewChange.ofBucket(workspace, id, ChangeType.BUCKET_PUT, memory.bucket(), List.of());
        return Optional.of(change.with(Terms.NONE, note("RemoteResource " + name + " is gone")));
    }

    private Status held(Decision decision, String reason) {
        return new Status(
                Status.State.HELD,
                resource.bucket(),
                requests,
                new Status.Counts(
                        decision.documents().size(), 0, decision.kept().size(), 0),
                Optional.empty(),
                decision.confirm(),
                Optional.of(new Status.Trouble(
                        "Held",
                        "%s. Nothing was changed; if this is intended, set confirm: %s in the resource"
                                .formatted(reason, decision.confirm()))));
    }

    private Status status(Decision decision, Optional<Memory> after, Optional<Status.OfChange> change) {
        boolean isWaiting = !decision.waiting().isEmpty();
        return new Status(
                isWaiting ? Status.State.HELD : Status.State.OK,
                resource.bucket(),
                requests,
                new Status.Counts(
                        after.map(memory -> memory.documents().size()).orElse(0),
                        decision.removals().size(),
                        decision.kept().size() - decision.waiting().size(),
                        decision.waiting().size()),
                change,
                isWaiting ? decision.confirm() : "",
                isWaiting ? Optional.of(waiting(decision)) : passedOver());
    }

    private static Status.Trouble waiting(Decision decision) {
        return new Status.Trouble(
                "Held",
                "%d documents wait for their removal to be confirmed, %s first. Set confirm: %s in the resource"
                        .formatted(decision.waiting().size(), decision.waiting().first(), decision.confirm()));
    }

    private Optional<Status.Trouble> passedOver() {
        return requests.stream()
                .map(Status.OfRequest::problem)
                .filter(problem -> !problem.isEmpty())
                .findFirst()
                .map(problem ->
                        new Status.Trouble("OptionalRequestFailed", "passed over, and nothing removed: " + problem));
    }

    private static Status.OfChange ofChange(Outcome outcome) {
        return new Status.OfChange(outcome.change().id(), outcome.status().text(), outcome.revision());
    }
}
