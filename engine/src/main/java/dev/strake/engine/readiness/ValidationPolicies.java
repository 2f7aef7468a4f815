package dev.strake.engine.readiness;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The {@code deckhand/ValidationPolicy/v1} documents of a revision: which validations have to succeed before the
 * revision is ready. A validation is expected if any policy expects it.
 */
public final class ValidationPolicies {

    private final List<Policy> policies;
    private final SortedMap<String, List<Validity>> expected = new TreeMap<>();

    private ValidationPolicies(List<Policy> policies) {
        this.policies = policies;
        policies.forEach(policy -> policy.expected()
                .forEach((name, validities) -> expected.computeIfAbsent(name, none -> new ArrayList<>())
                        .addAll(validities)));
    }

    /**
     * One policy.
     *
     * @param expected the validations, each with the times for which its successes count; empty for always
     * @param isReadable whether the document can be decrypted; if not, the policy is never fulfilled
     */
    record Policy(DocumentId id, SortedMap<String, List<Validity>> expected, boolean isReadable) {

        private static Policy of(Document document) {
            SortedMap<String, List<Validity>> expected = new TreeMap<>();
            for (Value each : document.tree().map("data").items("validations")) {
                MapValue validation = (MapValue) each;
                List<Validity> validities =
                        expected.computeIfAbsent(validation.text("name"), none -> new ArrayList<>());
                if (validation.get("expiresAfter") instanceof Text text) {
                    validities.add(new Validity(text.value()));
                }
            }
            return new Policy(document.id(), expected, document.missingKey().isEmpty());
        }

        boolean expects(String name) {
            return expected.containsKey(name);
        }

        Set<String> names() {
            return expected.keySet();
        }

        /* The notation of Deckhand: None for a document without a layer. */
        String title() {
            return "ValidationPolicy [%s, %s] %s"
                    .formatted(id.schema(), id.layer().isEmpty() ? "None" : id.layer(), id.name());
        }

        /** The policy in the form of the documents of an error. */
        ListValue asDocuments() {
            MapValue.Builder document = MapValue.builder().put("schema", new Text(id.schema()));
            if (!id.layer().isEmpty()) {
                document.put("layer", new Text(id.layer()));
            }
            return ListValue.of(document.put("name", new Text(id.name())).build());
        }
    }

    /**
     * Reads the policies of a revision.
     *
     * @param documents the documents of the policy schema, in valid format
     */
    public static ValidationPolicies of(Collection<Document> documents) {
        return new ValidationPolicies(documents.stream()
                .map(Policy::of)
                .sorted(Comparator.comparing(Policy::id))
                .toList());
    }

    List<Policy> all() {
        return policies;
    }

    boolean areThere() {
        return !policies.isEmpty();
    }

    boolean expect(String name) {
        return expected.containsKey(name);
    }

    Set<String> expected() {
        return expected.keySet();
    }

    /** How long a success counts that was posted at a time: the shortest of all policies. Empty if it never expires. */
    Optional<Validity> validity(String name, long since) {
        return expected.getOrDefault(name, List.of()).stream().min(Comparator.comparingLong(each -> each.end(since)));
    }
}
