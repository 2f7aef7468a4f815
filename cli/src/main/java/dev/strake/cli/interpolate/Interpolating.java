package dev.strake.cli.interpolate;

import dev.strake.cli.files.PlainYaml;
import dev.strake.engine.interpolation.Interpolation;
import dev.strake.engine.interpolation.Variables;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationPath;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A document and the operations files to apply to it, all of them parsed. */
public final class Interpolating {

    /** A result may be as large as the input. The steps are unlimited, because the author waits for the result. */
    private static final RenderLimits LIMITS = new RenderLimits(
            PlainYaml.LIMITS.document().bytes(),
            RenderLimits.DEFAULT.depth(),
            RenderLimits.DEFAULT.padding(),
            Long.MAX_VALUE,
            Long.MAX_VALUE);

    private final ReadDocument base;
    private final List<OperationsFile> operations;

    private Interpolating(ReadDocument base, List<OperationsFile> operations) {
        this.base = base;
        this.operations = operations;
    }

    /**
     * The effect of one operation.
     *
     * @param cause the operation with its file and line
     */
    public record Effect(String cause, Value before, Value after) {

        public List<PlaceChange> changes() {
            return PlaceChange.between(before, after);
        }

        /** Returns a place in the notation of operations files, where {@code name} identifies an item that has one. */
        public String path(Place place) {
            StringBuilder path = new StringBuilder();
            for (int i = 0; i < place.steps().size(); i++) {
                path.append('/');
                if (place.steps().get(i) instanceof String key) {
                    path.append(OperationPath.escaped(key));
                } else if (valueAt(place.upTo(i + 1)) instanceof MapValue map && map.get("name") instanceof Text name) {
                    path.append("name=").append(OperationPath.escaped(name.value()));
                } else {
                    path.append(place.steps().get(i));
                }
            }
            return path.toString();
        }

        private Value valueAt(Place place) {
            Value old = place.in(before);
            return old != null ? old : place.in(after);
        }
    }

    /**
     * Reads the files, the operations first. Stops at the first invalid file.
     *
     * @throws java.nio.file.FileSystemException if a file cannot be read
     */
    public static Interpolating read(PlainYaml yaml, String base, List<String> operations)
            throws IOException, InvalidInputException {
        List<OperationsFile> files = new ArrayList<>();
        for (String file : operations) {
            files.add(OperationsFile.of(document(yaml, file)));
        }
        return new Interpolating(document(yaml, base), files);
    }

    private static ReadDocument document(PlainYaml yaml, String path) throws IOException, InvalidInputException {
        try {
            return yaml.read(path);
        } catch (UnreadableTextException e) {
            throw new InvalidInputException(e.problem());
        }
    }

    /** Describes unknown fields of operations, which are ignored, with file and line. */
    public List<String> ignored() {
        return operations.stream().flatMap(file -> file.ignored().stream()).toList();
    }

    /**
     * Applies all operations, and fills the placeholders.
     *
     * @param needsAll whether every placeholder needs a variable
     * @param needsUsed whether every variable needs a placeholder
     */
    public Value result(Variables variables, boolean needsAll, boolean needsUsed) throws InvalidInputException {
        Value document = patched();
        try {
            return Interpolation.interpolate(document, variables, needsAll, needsUsed, LIMITS);
        } catch (EvaluationException e) {
            throw new InvalidInputException(e.toProblem(null).at(base.location()));
        }
    }

    /** Applies all operations, and leaves placeholders as they are. */
    Value patched() throws InvalidInputException {
        Value document = base.value();
        for (OperationsFile file : operations) {
            for (int i = 0; i < file.size(); i++) {
                document = file.apply(i, document, LIMITS);
            }
        }
        return document;
    }

    /** Returns the effects of all operations that change something, in order. Leaves placeholders as they are. */
    public List<Effect> effects() throws InvalidInputException {
        List<Effect> effects = new ArrayList<>();
        Value before = base.value();
        for (OperationsFile file : operations) {
            for (int i = 0; i < file.size(); i++) {
                Value after = file.apply(i, before, LIMITS);
                if (!after.equals(before)) {
                    effects.add(new Effect(file.describe(i), before, after));
                }
                before = after;
            }
        }
        return effects;
    }
}
