package dev.strake.heat.template;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the section {@code parameter_groups}. */
final class ParameterGroups {

    private ParameterGroups() {}

    static void check(Template template, Faults faults) {
        Value groups = template.groups();
        if (groups == null) {
            return;
        }
        if (!(groups instanceof ListValue list)) {
            report(template, faults, List.of("parameter_groups"), "The parameter_groups should be a list.");
            return;
        }
        Set<String> grouped = new HashSet<>();
        for (Value item : list.items()) {
            MapValue group = item instanceof MapValue map ? map : MapValue.EMPTY;
            String label = group.has("label") ? PythonText.str(group.get("label")) : "";
            List<String> path = List.of("parameter_groups", label);
            if (!group.has("parameters")) {
                report(template, faults, path, "The parameters must be provided for each parameter group.");
                continue;
            }
            if (!(group.get("parameters") instanceof ListValue names)) {
                report(template, faults, path, "The parameters of parameter group should be a list.");
                continue;
            }
            for (Value written : names.items()) {
                String name = PythonText.str(written);
                if (!grouped.add(name)) {
                    report(
                            template,
                            faults,
                            path,
                            "The " + name + " parameter must be assigned to one parameter group only.");
                } else if (!template.parameters().containsKey(name)) {
                    report(
                            template,
                            faults,
                            path,
                            "The grouped parameter " + name + " does not reference a valid parameter.");
                }
            }
        }
    }

    private static void report(Template template, Faults faults, List<String> path, String message) {
        faults.report(Fault.of(FaultCode.PARAMETER_GROUPS, "Parameter Groups error", path, message)
                .in(template.source().name(), ".parameter_groups"));
    }
}
