package dev.strake.engine.render;

import dev.strake.engine.derivation.Derivation;
import dev.strake.engine.derivation.Read;
import dev.strake.engine.derivation.Reader;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Carries out the reads of one owner on the rendered documents of a revision, and records them. */
final class OwnerReads implements Reader {

    private static final Fingerprint ABSENT = new Fingerprint(0, 0);
    private static final Fingerprint NOTHING_THERE = new Fingerprint(0, 1);

    private final Snapshot snapshot;
    private final Budget budget;
    private final Map<Read, Fingerprint> reads = new LinkedHashMap<>();
    private final DocumentId owner;
    private boolean secret;

    /**
     * The rendered documents of a revision.
     *
     * @param evaluations the evaluations of all documents, as dependents see them; null if no document that is read can
     *     have a problem
     * @param effort counts the work of reads
     * @param kept caches the results of reads
     * @param held counts the size of reads that are kept
     */
    record Snapshot(
            Graph graph,
            Contents contents,
            Function<DocumentId, Evaluation> evaluations,
            ChangeEffort effort,
            ReadCache kept,
            ReadLimit held) {

        /** The result of a read. Its fingerprint changes whenever the result of the owner could change. */
        Seen see(Read.Data read, Path path, Budget budget) {
            effort.spend(1);
            Facts facts = graph.rendered(read.document());
            if (facts == null) {
                return new Seen(ABSENT, null, null, false);
            }
            Evaluation evaluation = evaluations == null ? null : evaluations.apply(facts.id());
            if (evaluation != null && evaluation.isInTrouble()) {
                DocumentId cause = evaluation.cause() == null ? facts.id() : evaluation.cause();
                // All facts in the owner's problem, including the layer of the document.
                String why = evaluation.problem().code() + "|" + facts.id() + "|" + cause;
                return new Seen(new Text(why).fingerprint(), null, facts.id(), false);
            }
            if (path.isRoot() && evaluation != null && evaluation.data() != null) {
                boolean isSecret = evaluation.output() == null
                        ? dataOf(facts).hasSecrets()
                        : evaluation.output().secret();
                return new Seen(evaluation.data(), () -> dataOf(facts), null, isSecret);
            }
            Fingerprint hash = evaluation == null ? null : evaluation.data();
            ReadCache.Kept found = hash == null ? null : kept.get(hash, read.path());
            if (found == null || found.spent() > budget.left()) {
                found = found(dataOf(facts), path, budget);
                if (hash != null) {
                    kept.put(hash, read.path(), found);
                }
            } else {
                effort.spend(found.steps());
                budget.spend(found.spent());
            }
            Value value = found.value();
            boolean isSecret = value != null && value.hasSecrets();
            return new Seen(found.fingerprint(), value == null ? null : () -> value, null, isSecret);
        }

        private Value dataOf(Facts document) {
            return contents.data(document.id());
        }

        private ReadCache.Kept found(Value data, Path path, Budget budget) {
            long steps = data.weight() / 64;
            effort.spend(steps);
            long before = budget.spent();
            Value value = path.first(data, budget);
            if (value != null) {
                budget.spendJson(value);
            }
            Fingerprint fingerprint = value == null ? NOTHING_THERE : Fingerprint.asWritten(value);
            return new ReadCache.Kept(fingerprint, value, steps, budget.spent() - before);
        }

        List<DocumentKey> select(Read.Selection read) {
            return graph.selected(read.schema(), read.labels(), effort);
        }

        /** The fingerprint of the result of a read. */
        Fingerprint fingerprint(Read read, Budget budget) {
            if (read instanceof Read.Selection selection) {
                return fingerprint(select(selection));
            }
            Read.Data data = (Read.Data) read;
            try {
                return see(data, Path.of(data.path()), budget).fingerprint;
            } catch (PathSyntaxException e) {
                throw new IllegalStateException("the path was parsed before", e);
            }
        }

        private static Fingerprint fingerprint(List<DocumentKey> selected) {
            return Fingerprint.asWritten(ListValue.of(
                    selected.stream().map(key -> new Text(key.name())).toList()));
        }

        /** The hash of the owner's own data, an input of its evaluation. */
        Fingerprint ofOwner(DocumentId owner) {
            return evaluations.apply(owner).data();
        }
    }

    /**
     * The result of a read.
     *
     * @param value loads the value; null if there is none
     * @param inTrouble the document that was read, if it has a problem; null otherwise
     * @param isSecret whether the value has secrets
     */
    record Seen(Fingerprint fingerprint, Supplier<Value> value, DocumentId inTrouble, boolean isSecret) {

        @Override
        public String toString() {
            return "Seen[" + fingerprint + "]"; // the value may be secret
        }
    }

    /** Thrown if the owner reads a document that has a problem. Then nothing can be derived. */
    static final class BlockedException extends RuntimeException {

        private final DocumentId document;

        private BlockedException(DocumentId document) {
            super(document + " has a problem", null, false, false);
            this.document = document;
        }

        DocumentId document() {
            return document;
        }
    }

    /** @param secret whether the data of the owner has secrets */
    OwnerReads(Snapshot snapshot, Budget budget, DocumentId owner, boolean secret) {
        this.snapshot = snapshot;
        this.budget = budget;
        this.owner = owner;
        this.secret = secret;
    }

    @Override
    public Value read(DocumentKey document, Path path) throws EvaluationException {
        Supplier<Value> found = look(document, path).value;
        if (found == null) {
            return null;
        }
        Value value = found.get();
        if (path.isRoot()) {
            snapshot.effort.spend(value.weight() / 64);
        }
        return value;
    }

    @Override
    public Content content(DocumentKey document) throws EvaluationException {
        Seen seen = look(document, Path.ROOT);
        return seen.value == null ? null : new Content(seen.fingerprint, seen.value);
    }

    private Seen look(DocumentKey document, Path path) throws EvaluationException {
        Read.Data read = new Read.Data(document, path.isRoot() ? "." : path.toString());
        budget.spend(1);
        Seen seen = snapshot.see(read, path, budget);
        record(read, seen.fingerprint);
        if (seen.inTrouble != null) {
            throw new BlockedException(seen.inTrouble);
        }
        secret |= seen.isSecret;
        return seen;
    }

    @Override
    public List<DocumentKey> select(String schema, MapValue labels) throws EvaluationException {
        Read.Selection read = new Read.Selection(schema, labels);
        List<DocumentKey> selected = snapshot.select(read);
        budget.spend(1L + selected.size());
        record(read, Snapshot.fingerprint(selected));
        return selected;
    }

    @Override
    public Budget budget() {
        return budget;
    }

    private void record(Read read, Fingerprint found) throws EvaluationException {
        if (reads.put(read, found) == null) {
            snapshot.held.hold(ReadLimit.characters(owner, read));
        }
        if (reads.size() > Derivation.MOST_READS) {
            throw new EvaluationException(
                    ProblemCode.LIMIT_EXCEEDED,
                    ".data",
                    "reads more than " + Derivation.MOST_READS + " values of other documents",
                    "split it into several documents",
                    null);
        }
    }

    /** The reads with their results. */
    Map<Read, Fingerprint> reads() {
        return reads;
    }

    @Override
    public boolean isSecret() {
        return secret;
    }
}
