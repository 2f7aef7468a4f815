package dev.strake.serdes.change;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.ReadDocument;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The single mapping in the body of a change that refers to a revision. */
final class ControlBody {

    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** Reserved: in Deckhand's API this name is the path of all validations of a revision. */
    private static final String ALL_VALIDATIONS = "detail";

    private final ReadDocument item;
    private final MapValue map;

    ControlBody(List<ReadDocument> items, Set<String> known) throws RejectedChangeException {
        String keys = String.join(", ", known.stream().sorted().toList());
        if (items.size() != 1 || !(items.get(0).value() instanceof MapValue)) {
            throw new RejectedChangeException(List.of(Problem.of(
                    ProblemCode.INVALID_CHANGE, "the change has to be one mapping with the keys " + keys, null)));
        }
        this.item = items.get(0);
        this.map = (MapValue) item.value();
        if (!known.containsAll(map.keys())) {
            throw rejected(
                    ProblemCode.INVALID_CHANGE, null, "the change has other keys than " + keys, "remove the others");
        }
    }

    long revision() throws RejectedChangeException {
        // Eighteen digits fit into a long; no workspace has so many revisions.
        if (map.get("revision") instanceof Num number
                && number.isInteger()
                && number.literal().length() <= 18
                && !number.literal().startsWith("-")) {
            return Long.parseLong(number.literal());
        }
        throw rejected(ProblemCode.INVALID_CHANGE, ".revision", "has to be an integer of 0 or more", null);
    }

    String tag() throws RejectedChangeException {
        if (map.get("tag") instanceof Text tag && TAG.matcher(tag.value()).matches()) {
            return tag.value();
        }
        throw rejected(
                ProblemCode.REVISION_TAG_BAD_FORMAT,
                ".tag",
                "has to be text of 1 to 64 letters, digits, dots, underscores and dashes",
                "quote a tag that looks like a number");
    }

    MapValue data() throws RejectedChangeException {
        Value data = map.has("data") ? map.get("data") : Null.NULL;
        if (data instanceof Null) {
            return MapValue.EMPTY;
        }
        if (data instanceof MapValue mapping) {
            return mapping;
        }
        throw rejected(ProblemCode.REVISION_TAG_BAD_FORMAT, ".data", "has to be a mapping or null", null);
    }

    /** The name of a validation. */
    String validation() throws RejectedChangeException {
        if (map.get("name") instanceof Text name
                && WorkspaceKey.isName(name.value())
                && !name.value().equals(ALL_VALIDATIONS)) {
            return name.value();
        }
        throw rejected(
                ProblemCode.INVALID_CHANGE,
                ".name",
                "has to be text of " + WorkspaceKey.RULE + ", but not " + ALL_VALIDATIONS,
                null);
    }

    String status() throws RejectedChangeException {
        if (map.get("status") instanceof Text status && !status.value().isBlank()) {
            return status.value();
        }
        throw rejected(ProblemCode.INVALID_CHANGE, ".status", "has to be text", "use success or failure");
    }

    MapValue validator() throws RejectedChangeException {
        if (map.get("validator") instanceof MapValue validator && !validator.isEmpty()) {
            return validator;
        }
        throw rejected(
                ProblemCode.INVALID_CHANGE,
                ".validator",
                "has to be a mapping",
                "name the validator: {name: …, version: …}");
    }

    /** The findings of the validator; empty if it reports none. */
    List<MapValue> errors() throws RejectedChangeException {
        Value errors = map.has("errors") ? map.get("errors") : Null.NULL;
        if (errors instanceof Null) {
            return List.of();
        }
        if (errors instanceof ListValue list
                && list.items().stream()
                        .allMatch(each -> each instanceof MapValue error && error.get("message") instanceof Text)) {
            return list.items().stream().map(MapValue.class::cast).toList();
        }
        throw rejected(
                ProblemCode.INVALID_CHANGE,
                ".errors",
                "has to be a list of mappings, each with a message",
                "write for example {message: …, documents: [{schema: …, name: …}]}");
    }

    private RejectedChangeException rejected(ProblemCode code, String path, String message, String hint) {
        Problem problem = Problem.of(code, message, hint);
        return new RejectedChangeException(List.of(item.locate(path == null ? problem : problem.at(path))));
    }
}
