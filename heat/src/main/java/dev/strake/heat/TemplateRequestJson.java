package dev.strake.heat;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateAnswer;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TreeLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request in the form of Heat's API, and its answer.
 *
 * @param id the id that the sender gave to the request; null if there is none
 */
public record TemplateRequestJson(Value id, TemplateRequest request) {

    /** Higher limits of nesting are reduced to this one. */
    private static final int DEEPEST = 50;

    /** The name of a template that has none. */
    public static final String TEMPLATE = "template";

    /** The name of an environment that has none. */
    public static final String ENVIRONMENT = "environment";

    /**
     * Reads a request. In addition to Heat's API, it may contain {@code max_nested_depth}, and {@code limits} with
     * {@code nesting} and {@code resources}.
     *
     * @throws IllegalArgumentException if it is invalid; the message may be shown to the sender
     */
    public static TemplateRequestJson read(Value value, TemplateRequest.Mode mode, TreeLimits limits) {
        if (!(value instanceof MapValue map)) {
            throw new IllegalArgumentException("a request has to be a JSON object, but is " + value.kindWithArticle());
        }
        Map<String, SourceFile> files = new HashMap<>();
        member(map, "files", MapValue.EMPTY).forEach((name, content) -> files.put(name, source(name, content)));
        if (!map.has("template")) {
            throw new IllegalArgumentException("the request has no template");
        }
        Value environment = map.get("environment");
        return new TemplateRequestJson(
                map.get("id"),
                new TemplateRequest(
                        source(TEMPLATE, map.get("template")),
                        files,
                        new TemplateRequest.Environments(
                                environment == null || environment instanceof Null
                                        ? null
                                        : source(ENVIRONMENT, environment),
                                texts(map, "environment_files"),
                                member(map, "parameters", MapValue.EMPTY)),
                        Bool.TRUE.equals(map.get("show_nested")),
                        texts(map, "ignore_errors"),
                        mode,
                        limits(map, limits)));
    }

    private static TreeLimits limits(MapValue request, TreeLimits limits) {
        MapValue own = member(request, "limits", MapValue.EMPTY);
        TreeLimits result = limits;
        Value depth = request.has("max_nested_depth") ? request.get("max_nested_depth") : own.get("nesting");
        if (depth instanceof Num nesting && nesting.isInteger()) {
            result = result.nesting(Math.max(0, Math.min(nesting.nearestInt(), DEEPEST)));
        }
        if (own.get("resources") instanceof Num resources && resources.isInteger()) {
            result = result.resources(resources.nearestInt());
        }
        return result;
    }

    private static MapValue member(MapValue map, String name, MapValue otherwise) {
        Value value = map.get(name);
        if (value == null || value instanceof Null) {
            return otherwise;
        }
        if (value instanceof MapValue member) {
            return member;
        }
        throw new IllegalArgumentException(
                "\"" + name + "\" has to be a JSON object, but is " + value.kindWithArticle());
    }

    private static List<String> texts(MapValue map, String name) {
        Value value = map.get(name);
        if (value == null || value instanceof Null) {
            return List.of();
        }
        if (!(value instanceof ListValue list)) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" has to be a list of texts, but is " + value.kindWithArticle());
        }
        List<String> texts = new ArrayList<>();
        for (Value item : list.items()) {
            texts.add(item instanceof Text text ? text.value() : JsonBytes.text(item));
        }
        return texts;
    }

    private static SourceFile source(String name, Value content) {
        return content instanceof Text text
                ? new SourceFile(name, text.value())
                : new SourceFile(name, JsonBytes.text(content), content, false);
    }

    /** Returns the answer as a JSON object. */
    public MapValue write(TemplateAnswer answer, boolean showHidden) {
        AnswerJson json = new AnswerJson(answer, showHidden);
        return MapValue.builder()
                .put("id", id == null ? Null.NULL : id)
                .put("schema", json.schema())
                .put("environment", json.environment())
                .put("needs_input", json.needsInput())
                .put("supplied_empty", json.suppliedEmpty())
                .put(
                        "errors",
                        json.errors(fault -> request == null ? null : request.locate(fault.file(), fault.place())))
                .build();
    }

    /** Returns the answer to an invalid request. */
    public static MapValue refused(Value id, String message) {
        Fault fault = Fault.raised(FaultCode.REQUEST, "HTTPBadRequest", message);
        return new TemplateRequestJson(id, null).write(TemplateAnswer.failed(fault, 0), false);
    }
}
