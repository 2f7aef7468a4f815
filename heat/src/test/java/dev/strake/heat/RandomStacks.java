package dev.strake.heat;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.property.Dice;
import dev.strake.engine.property.StoryKind;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/** Heat templates and environments so small, and with so few names, that most of them reference one another. */
public final class RandomStacks implements StoryKind {

    private static final String STACK = "heat/Stack/v1";
    private static final String TEMPLATE = "heat/Template/v1";
    private static final String ENVIRONMENT = "heat/Environment/v1";
    private static final String FILE = "heat/File/v1";

    private static final List<String> NAMES = List.of("t1", "t2", "t3.yaml", "t4.yaml");
    private static final List<String> ENVIRONMENTS = List.of("e1", "e2");
    private static final List<String> PARAMETERS = List.of("p", "q");
    private static final List<String> TYPES = List.of("t2", "t3.yaml", "t3.yaml", "t4.yaml", "X::T", "OS::Heat::Value");
    private static final List<String> ODD_TYPES = List.of("t1", "e1", "none.yaml", "X::U", "OS::Heat::None", "f");
    private static final List<String> PROPERTIES = List.of("1", "'v'", "{'get_param':'p'}", "{'get_file':'f'}");
    private static final List<String> ODD_PROPERTIES = List.of(
            "{'get_param':'none'}", "{'get_file':'none'}", "{'get_attr':['r','x']}", "[]", "{'if':[1]}", "null");

    @Override
    public String owners() {
        return STACK;
    }

    @Override
    public String derived() {
        return "heat/ParameterSchema/v1";
    }

    @Override
    public boolean makes(String schema) {
        return schema.startsWith("heat/");
    }

    @Override
    public DocumentKey next(Dice dice) {
        if (dice.chance(0.3)) {
            return new DocumentKey(STACK, dice.oneOf(List.of("u", "v")));
        }
        String schema = dice.mostly(0.7, List.of(TEMPLATE), List.of(ENVIRONMENT, ENVIRONMENT, FILE));
        return new DocumentKey(schema, name(dice, schema));
    }

    /* Returns the name of a file of a schema; sometimes a file of another schema has the same name. */
    private static String name(Dice dice, String schema) {
        if (dice.chance(0.04)) {
            return dice.oneOf(List.of("t3.yaml", "e1", "f"));
        }
        return switch (schema) {
            case TEMPLATE -> dice.oneOf(NAMES);
            case ENVIRONMENT -> dice.oneOf(ENVIRONMENTS);
            default -> "f";
        };
    }

    @Override
    public Value data(Dice dice, String schema) {
        return switch (schema) {
            case STACK -> stack(dice);
            case TEMPLATE -> dice.chance(0.04) ? Json.value("{'resources':[]}") : template(dice);
            case ENVIRONMENT -> environment(dice);
            default -> dice.chance(0.8) ? new Text(dice.oneOf(List.of("x", "y"))) : Json.value("{'a':[1]}");
        };
    }

    private static MapValue template(Dice dice) {
        MapValue template = MapValue.of(
                "heat_template_version",
                new Text(dice.mostly(0.97, List.of("rocky", "2015-04-30"), List.of("1999-01-01"))));
        if (dice.chance(0.8)) {
            MapValue parameters = MapValue.EMPTY;
            for (String name : dice.someOf(PARAMETERS)) {
                parameters = parameters.with(name, parameter(dice));
            }
            template = template.with("parameters", parameters);
        }
        if (dice.chance(0.6)) {
            MapValue resources = MapValue.EMPTY;
            for (String name : dice.someOf(List.of("r", "s"))) {
                resources = resources.with(dice.chance(0.03) ? "r/s" : name, resource(dice));
            }
            template = template.with("resources", resources);
        }
        return template;
    }

    private static MapValue parameter(Dice dice) {
        MapValue parameter =
                MapValue.of("type", new Text(dice.mostly(0.95, List.of("string", "string", "number"), List.of("x"))));
        if (dice.chance(0.5)) {
            parameter = parameter.with("default", Json.value(dice.oneOf(List.of("1", "2", "'d'"))));
        }
        if (dice.chance(0.1)) {
            parameter = parameter.with("hidden", Json.value("true"));
        }
        return dice.chance(0.1) ? parameter.with("constraints", Json.value("[{'allowed_values':[1,'d']}]")) : parameter;
    }

    private static MapValue resource(Dice dice) {
        String type = dice.mostly(0.85, TYPES, ODD_TYPES);
        MapValue resource = MapValue.of("type", new Text(type));
        MapValue properties = MapValue.EMPTY;
        for (String name : type.equals("OS::Heat::Value") ? List.of("value") : dice.someOf(PARAMETERS)) {
            properties = properties.with(name, Json.value(dice.mostly(0.9, PROPERTIES, ODD_PROPERTIES)));
        }
        return dice.chance(0.7) ? resource.with("properties", properties) : resource;
    }

    private static MapValue environment(Dice dice) {
        MapValue environment = MapValue.EMPTY;
        if (dice.chance(0.7)) {
            environment = environment.with(
                    "resource_registry",
                    MapValue.of("X::T", new Text(dice.oneOf(List.of("t3.yaml", "t4.yaml", "none.yaml")))));
        }
        if (dice.chance(0.5)) {
            environment = environment.with(
                    dice.oneOf(List.of("parameter_defaults", "parameters")),
                    MapValue.of(dice.oneOf(PARAMETERS), Json.value(dice.oneOf(List.of("1", "3", "'d'")))));
        }
        return dice.chance(0.03) ? environment.with("odd", Num.of(1)) : environment;
    }

    /** Returns the data of a stack; sometimes invalid. */
    private static MapValue stack(Dice dice) {
        MapValue data = MapValue.of("template", new Text(dice.mostly(0.9, NAMES.subList(0, 2), List.of("e1", "none"))));
        if (dice.chance(0.7)) {
            data = data.with(
                    "environments",
                    ListValue.of(dice.someOf(ENVIRONMENTS).stream()
                            .map(name -> (Value) new Text(name))
                            .toList()));
        }
        if (dice.chance(0.3)) {
            data = data.with("parameters", MapValue.of("p", Json.value(dice.oneOf(List.of("1", "'d'", "null")))));
        }
        if (dice.chance(0.4)) {
            data = data.with("mode", new Text(dice.oneOf(List.of("deep", "as-heat"))));
        }
        if (dice.chance(0.2)) {
            data = data.with("max_nested_depth", Num.of(dice.below(4)));
        }
        if (dice.chance(0.05)) {
            String[] odd = dice.oneOf(List.of(
                            "more 1",
                            "mode 'shallow'",
                            "environments 'e1'",
                            "environments [1]",
                            "max_nested_depth 51",
                            "max_nested_depth '1'",
                            "parameters []",
                            "template ''"))
                    .split(" ", 2);
            data = data.with(odd[0], Json.value(odd[1]));
        }
        return data;
    }
}
