package dev.strake.heat.template;

import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.SourceFile;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares a template with the type that it replaces: it has to offer the same properties and attributes. */
final class Facade {

    private Facade() {}

    static void check(
            Stack stack, Resource resource, Implementation.Nested provider, Template template, Faults faults) {
        if (Registry.isTemplate(resource.type())) {
            return;
        }
        Implementation facade = stack.candidates(resource.type(), resource.name()).stream()
                .filter(entry -> !entry.equals(provider.entry()))
                .map(entry -> entry.isFile()
                        ? new Implementation.Nested(entry.file(), entry)
                        : Implementation.find(stack, entry.apply(resource.type()), resource.name(), new HashSet<>()))
                .filter(found -> !(found instanceof Implementation.Unknown)
                        && !(found instanceof Implementation.Nested file
                                && file.file().equals(provider.file())))
                .findFirst()
                .orElse(null);
        ResourceType builtIn = ResourceType.of(resource.type());
        if (facade == null && builtIn != null) {
            facade = new Implementation.BuiltIn(builtIn);
        }
        try {
            if (facade instanceof Implementation.BuiltIn type) {
                compare(resource.type(), type.type(), template);
            } else if (facade instanceof Implementation.Nested file) {
                SourceFile source = stack.source(file.file());
                if (source != null) {
                    Template other = stack.context().templates().of(source);
                    stack.budget().spendJson(other.written());
                    compare(resource.type(), interfaceOf(other), template);
                }
            }
        } catch (FaultException e) {
            faults.report(e.fault().in(template.source().name(), null));
        }
    }

    private static ResourceType interfaceOf(Template template) {
        Map<String, String> properties = new LinkedHashMap<>();
        var required = new HashSet<String>();
        template.parameters().forEach((name, schema) -> {
            properties.put(name, schema.type().property());
            if (schema.required()) {
                required.add(name);
            }
        });
        return new ResourceType("", properties, required, template.outputNames(), false, false, null);
    }

    private static void compare(String type, ResourceType facade, Template provider) {
        Map<String, ParameterSchema> offered = provider.parameters();
        facade.properties().forEach((name, written) -> {
            if (facade.required().contains(name) && !offered.containsKey(name)) {
                throw mismatch("Required property " + name + " for facade " + type + " missing in provider");
            }
            String wanted = written.equals("Integer") ? "Number" : written;
            if (offered.containsKey(name)
                    && !wanted.equals("Any")
                    && !wanted.equals(offered.get(name).type().property())) {
                throw mismatch("Property " + name + " type mismatch between facade " + type + " (" + written
                        + ") and provider (" + offered.get(name).type().property() + ")");
            }
        });
        offered.forEach((name, schema) -> {
            if (schema.required() && !facade.properties().containsKey(name)) {
                throw mismatch("Provider requires property " + name + " unknown in facade " + type);
            }
        });
        for (String attribute : facade.attributes().stream().sorted().toList()) {
            if (!attribute.equals("show") && !provider.outputNames().contains(attribute)) {
                throw mismatch("Attribute " + attribute + " for facade " + type + " missing in provider");
            }
        }
    }

    private static FaultException mismatch(String message) {
        return new FaultException(Fault.at(FaultCode.FACADE_MISMATCH, List.of(), message));
    }
}
